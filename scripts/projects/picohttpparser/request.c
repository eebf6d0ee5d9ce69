// EXPECT: true
// FILES: picohttpparser.c
// OPTIONS: -I.
/* A request with any two characters in its path and any digit in its version. */
#include "picohttpparser.h"
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    char text[] = "GET /.. HTTP/1.0\r\nA: b\r\n\r\n";
    const char *method, *path;
    size_t method_length, path_length, n = 2;
    int minor, bad = 0;
    struct phr_header headers[2];
    for (int i = 5; i < 7; i++) {
        unsigned char c = __VERIFIER_nondet_uchar();
        if (c == ' ')
            return 0;
        bad |= c < ' ' || c == 127;
        text[i] = c;
    }
    text[15] = '0' + __VERIFIER_nondet_uchar() % 10;
    int r = phr_parse_request(text, sizeof text - 1, &method, &method_length, &path, &path_length, &minor, headers, &n, 0);
    if (r != (bad ? -1 : (int)sizeof text - 1))
        reach_error();
    if (!bad && (path != text + 4 || path_length != 3 || minor != text[15] - '0' || n != 1 || headers[0].value_len != 1))
        reach_error();
    return 0;
}
