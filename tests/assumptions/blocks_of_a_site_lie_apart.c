// EXPECT: true unreach-call LP64
// ASSUMES: with whose addresses the program computes, lie at multiples of 16, however small they are
// ASSUMES: with whose address the program computes, lies between 0x1000 and 0x800000000000
// ASSUMES: memory allocation (malloc, new, ...) never fails, also not for 0 bytes
// ASSUMES: no allocation site allocates more blocks than its range of addresses can hold
// ASSUMES: lie 16 bytes apart, in the order of their allocation
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);
static uintptr_t make(void) { return (uintptr_t)malloc(8); }
int main(void) {
    uintptr_t a = make(), b = make();
    if (b < a)
        reach_error();
    return 0;
}
