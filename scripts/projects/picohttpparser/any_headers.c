// EXPECT: true
// FILES: picohttpparser.c
// OPTIONS: -I.
/* Any five bytes as headers: what is parsed lies within them. */
#include "picohttpparser.h"
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

#ifndef LENGTH
#define LENGTH 5
#endif

int main(void) {
    struct phr_header headers[2];
    char text[LENGTH];
    size_t n = 2;
    for (int i = 0; i < LENGTH; i++)
        text[i] = __VERIFIER_nondet_char();
    int r = phr_parse_headers(text, LENGTH, headers, &n, 0);
    if (r < -2 || r == 0 || r > LENGTH || n > 2)
        reach_error();
    if (r > 0)
        for (size_t i = 0; i < n; i++)
            if (headers[i].value + headers[i].value_len > text + LENGTH || headers[i].value < text)
                reach_error();
    return 0;
}
