// EXPECT: true unreach-call LP64
// ASSUMES: with whose addresses the program computes, lie at multiples of 16, however small they are
// ASSUMES: with whose address the program computes, lies between 0x1000 and 0x800000000000
// ASSUMES: with whose addresses the program computes, lie 68719476736 bytes apart, in the order of their allocation
// ASSUMES: memory allocation (malloc, new, ...) never fails, also not for 0 bytes
// ASSUMES: no block whose size is not constant has more than 2^36 bytes
// ASSUMES: no allocation site allocates more blocks than its range of addresses can hold
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
int main(void) {
    uintptr_t all = 0;
    for (int i = 0; i < 3; i++) {
        unsigned long n = __VERIFIER_nondet_ulong();
        all ^= (uintptr_t)malloc(n) >> 1;
        if (n > 1UL << 40 && (all & 1))
            reach_error();
    }
}
