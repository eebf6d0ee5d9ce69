// EXPECT: true
// FILES: bn.c
// OPTIONS: -I.
/* Of any two numbers of 64 bits, the sum is the sum, and its difference to one is the other. */
#include "bn.h"
extern void reach_error(void);
extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void) {
    unsigned long x = __VERIFIER_nondet_ulong(), y = __VERIFIER_nondet_ulong();
    struct bn a, b, c, d;
    bignum_from_int(&a, x);
    bignum_from_int(&b, y);
    bignum_add(&a, &b, &c);
    unsigned __int128 sum = (unsigned __int128)x + y;
    if (c.array[0] != (unsigned)sum || c.array[1] != (unsigned)(sum >> 32) || c.array[2] != (unsigned)(sum >> 64))
        reach_error();
    bignum_sub(&c, &b, &d);
    if (bignum_cmp(&d, &a) != EQUAL)
        reach_error();
    return 0;
}
