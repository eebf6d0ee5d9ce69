// EXPECT: true
// FILES: picohttpparser.c
// OPTIONS: -I.
/* Any four bytes, chunked: what is decoded is shorter, and what is left lies within them. */
#include "picohttpparser.h"
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
    struct phr_chunked_decoder decoder = {0};
    char text[4];
    size_t n = 4;
    for (int i = 0; i < 4; i++)
        text[i] = __VERIFIER_nondet_char();
    long left = phr_decode_chunked(&decoder, text, &n);
    if (left < -2 || left > 4 || n > 4 || n >= 1 && left > 3)
        reach_error();
    return 0;
}
