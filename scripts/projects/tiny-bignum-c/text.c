// EXPECT: true
// FILES: bn.c
// OPTIONS: -I.
/* The hexadecimal text of any byte's number is read as this number. */
#include <string.h>
#include "bn.h"
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    char text[2 * 128 + 1], padded[9] = "00000000";
    struct bn a, b;
    bignum_from_int(&a, 1 + __VERIFIER_nondet_uchar());
    bignum_to_string(&a, text, sizeof(text) - 1);
    size_t n = strlen(text);
    if (n < 1 || n > 3)
        reach_error();
    memcpy(padded + 8 - n, text, n);
    bignum_from_string(&b, padded, 8);
    if (bignum_cmp(&a, &b) != EQUAL)
        reach_error();
    return 0;
}
