// EXPECT: true unreach-call LP64
// ASSUMES: with whose address the program computes, lies between 0x1000 and 0x800000000000
// ASSUMES: lie 16 bytes apart, in the order in which they are made
// ASSUMES: malloc and its kin never fail
// ASSUMES: no allocation site makes more blocks than its range of addresses holds
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    uintptr_t all = 0;
    for (unsigned long n = 0;; n++) {
        all ^= (uintptr_t)malloc(8);
        if (n > 1UL << 45 && (all & 1))
            reach_error();
    }
}
