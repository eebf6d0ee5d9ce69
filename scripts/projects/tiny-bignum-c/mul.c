// EXPECT: true
// FILES: bn.c
// OPTIONS: -I.
/* The product of any two bytes. */
#include "bn.h"
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char x = __VERIFIER_nondet_uchar(), y = __VERIFIER_nondet_uchar();
    struct bn a, b, c;
    bignum_from_int(&a, x);
    bignum_from_int(&b, y);
    bignum_mul(&a, &b, &c);
    if (bignum_to_int(&c) != x * y || c.array[1])
        reach_error();
    return 0;
}
