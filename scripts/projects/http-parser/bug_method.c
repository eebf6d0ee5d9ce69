// EXPECT: false
// FILES: http_parser.c
// OPTIONS: -I.
/* Some method of three characters and a space is PUT. */
#include "http_parser.h"
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
    http_parser parser;
    http_parser_settings settings;
    char text[5];
    for (int i = 0; i < 5; i++)
        text[i] = __VERIFIER_nondet_char();
    http_parser_init(&parser, HTTP_REQUEST);
    http_parser_settings_init(&settings);
    if (http_parser_execute(&parser, &settings, text, 5) == 5 && parser.method == HTTP_PUT)
        reach_error();
    return 0;
}
