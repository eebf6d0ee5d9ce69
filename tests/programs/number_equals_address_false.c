// EXPECT: false unreach-call LP64
// NATIVE: no (where objects lie is not ours to choose)
// A number may equal the address of a variable.
#include <stdint.h>
extern void reach_error(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
static int x = 1;
int main(void) {
    uintptr_t n = __VERIFIER_nondet_ulong();
    if (n == (uintptr_t)&x)
        reach_error();
    return x;
}
