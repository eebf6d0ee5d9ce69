// EXPECT: true unreach-call LP64
// ASSUMES: memory allocation (malloc, new, ...) never fails, also not for 0 bytes
#include <stdlib.h>
extern void reach_error(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
int main(void) {
    unsigned long n = __VERIFIER_nondet_ulong();
    char *p = malloc(n);
    if (p && n > 1UL << 47)
        reach_error();
    return 0;
}
