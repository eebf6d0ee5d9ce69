// EXPECT: true
// FILES: http_parser.c
// OPTIONS: -I.
/* Any port of two digits is read. */
#include "http_parser.h"
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    struct http_parser_url url;
    char text[] = "http://h:../";
    text[9] = '0' + __VERIFIER_nondet_uchar() % 10;
    text[10] = '0' + __VERIFIER_nondet_uchar() % 10;
    http_parser_url_init(&url);
    if (http_parser_parse_url(text, sizeof text - 1, 0, &url) != 0)
        reach_error();
    if (url.port != 10 * (text[9] - '0') + (text[10] - '0') || url.field_data[UF_HOST].len != 1)
        reach_error();
    return 0;
}
