// EXPECT: false unreach-call LP64
// NATIVE: no (a computer may refuse a block of a terabyte)
#include <stdlib.h>
extern void reach_error(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
int main(void) {
    unsigned long n = __VERIFIER_nondet_ulong();
    char *p = malloc(n);
    if (!p || n < 1UL << 40 || n > 1UL << 41)
        return 0;
    p[0] = 1;
    p[n - 1] = 2;
    // The whole block has room of its own.
    if (p + n - p == n && p[0] == 1 && p[n - 1] == 2)
        reach_error();
    return 0;
}
