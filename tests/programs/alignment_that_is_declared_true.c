// EXPECT: true unreach-call LP64
// An address is aligned as the program declares; what it declares impossible does not happen.
#include <stdint.h>
extern void reach_error(void);
static char block[128];
extern int __VERIFIER_nondet_int(void);
int main(void) {
    char *p = __builtin_assume_aligned(block + (__VERIFIER_nondet_int() & 63), 64);
    if ((uintptr_t)p % 64 != 0)
        reach_error();
    return 0;
}
