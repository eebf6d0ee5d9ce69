// EXPECT: false
// FILES: picohttpparser.c
// OPTIONS: -I.
/* The status of a response may be any number of three digits, such as 077. */
#include "picohttpparser.h"
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
    char text[] = "HTTP/1.1 ... OK\r\n\r\n";
    const char *message;
    size_t length, n = 2;
    int minor, status;
    struct phr_header headers[2];
    for (int i = 9; i < 12; i++)
        text[i] = __VERIFIER_nondet_char();
    if (phr_parse_response(text, sizeof text - 1, &minor, &status, &message, &length, headers, &n, 0) > 0 && status == 77)
        reach_error();
    return 0;
}
