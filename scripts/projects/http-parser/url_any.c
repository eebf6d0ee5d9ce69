// EXPECT: true
// FILES: http_parser.c
// OPTIONS: -I.
/* Any path of three characters: the fields of the URL lie in it, one behind the other. */
#include "http_parser.h"
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
    struct http_parser_url url;
    char text[4] = "/";
    for (int i = 1; i < 4; i++)
        text[i] = __VERIFIER_nondet_char();
    http_parser_url_init(&url);
    if (http_parser_parse_url(text, 4, 0, &url) != 0)
        return 0;
    if (!(url.field_set & 1 << UF_PATH) || url.field_data[UF_PATH].off != 0 || url.field_set & 1 << UF_HOST)
        reach_error();
    for (int i = 0; i < UF_MAX; i++)
        if (url.field_set & 1 << i && url.field_data[i].off + url.field_data[i].len > 4)
            reach_error();
    if (url.field_set & 1 << UF_QUERY && url.field_data[UF_QUERY].off <= url.field_data[UF_PATH].len)
        reach_error();
    return 0;
}
