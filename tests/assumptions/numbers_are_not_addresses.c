// EXPECT: true unreach-call LP64
// ASSUMES: no number that is compared with the address of an object or function, or subtracted from it to see whether the difference is 0, equals it, unless the program also computes with that address
// ASSUMES: an address that comes from outside or is made from a number lies neither in nor just beyond an object or function that the program knows from elsewhere, unless the program computes with the address of that object
#include <stdint.h>
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void reach_error(void);
static int x;
int main(void) {
    unsigned long n = __VERIFIER_nondet_ulong();
    if (n == (uintptr_t)&x) {
        *(int *)n = 5;
        if (x == 5)
            reach_error();
    }
    return x;
}
