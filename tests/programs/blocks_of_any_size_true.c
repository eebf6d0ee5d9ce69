// EXPECT: true unreach-call LP64
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
int main(void) {
    unsigned long n = __VERIFIER_nondet_ulong(), at = __VERIFIER_nondet_ulong();
    char *p = malloc(n), *q = calloc(n, 1);
    if (!p || !q || at >= n)
        return 0;
    // No byte of one block is a byte of the other, however large they are.
    p[at] = 1;
    if (q[at] != 0 || p + n < p + at)
        reach_error();
    // They may lie anywhere, but not within each other.
    uintptr_t first = (uintptr_t)p, second = (uintptr_t)q;
    if (first < second ? second - first < n : first - second < n)
        reach_error();
    return 0;
}
