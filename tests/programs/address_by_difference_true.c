// EXPECT: true unreach-call LP64
// The difference of two addresses leads from one object to the other, and to no third one; within one object it is an index.
#include <stdint.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = 0, y = 0, z = 5, a[8] = {0};
    uintptr_t distance = (uintptr_t)&y - (uintptr_t)&x;
    *(int *)((uintptr_t)&x + distance) = 3;
    int *end = a + (__VERIFIER_nondet_int() & 7);
    a[end - a] = 4;
    if (y != 3 || x != 0 || z != 5 || *end != 4)
        reach_error();
    return 0;
}
