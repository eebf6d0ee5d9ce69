// EXPECT: true
// FILES: http_parser.c
// OPTIONS: -I.
/* Any three characters as the beginning of a request: all are consumed, or there is an error. */
#include "http_parser.h"
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
    http_parser parser;
    http_parser_settings settings;
    char text[3];
    for (int i = 0; i < 3; i++)
        text[i] = __VERIFIER_nondet_char();
    http_parser_init(&parser, HTTP_REQUEST);
    http_parser_settings_init(&settings);
    size_t n = http_parser_execute(&parser, &settings, text, 3);
    if (n > 3 || (n < 3) != (HTTP_PARSER_ERRNO(&parser) != HPE_OK))
        reach_error();
    return 0;
}
