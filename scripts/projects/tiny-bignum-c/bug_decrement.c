// EXPECT: false
// FILES: bn.c
// OPTIONS: -I.
/* One less is not always smaller. */
#include "bn.h"
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    struct bn a, b;
    bignum_from_int(&a, __VERIFIER_nondet_uint());
    bignum_assign(&b, &a);
    bignum_dec(&b);
    if (bignum_cmp(&b, &a) != SMALLER)
        reach_error();
    return 0;
}
