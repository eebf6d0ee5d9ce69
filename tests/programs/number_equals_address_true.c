// EXPECT: true unreach-call LP64
// A number that equals the address of a variable leads to it, wherever that lies: no alarm says that it does not.
#include <stdint.h>
extern void reach_error(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
static int x = 1, y = 1, z = 1;
int main(void) {
    uintptr_t n = __VERIFIER_nondet_ulong();
    if (n == (uintptr_t)&x) {
        *(int *)n = 5;
        if (x != 5)
            reach_error();
    }
    int *p = (int *)__VERIFIER_nondet_ulong();
    if (p == &y && *p != 1)
        reach_error();
    p = n % 2 ? &y : (int *)__VERIFIER_nondet_ulong();
    if (p == &z) {
        *p = 9;
        if (z != 9)
            reach_error();
    }
    return 0;
}
