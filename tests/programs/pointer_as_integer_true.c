// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

#include <stdint.h>

int main(void) {
    int x = __VERIFIER_nondet_int();
    uintptr_t n = (uintptr_t)&x;
    int *p = (int *)n;
    *p = 4;
    check(x == 4 && n % sizeof(int) == 0);
    return 0;
}
