// EXPECT: false unreach-call LP64
// The first bytes of the block change, although the pointer is one to its middle.
// NATIVE: no (clang does not know these functions)
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

static void change(int *p) { __CPROVER_havoc_object(p); }

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    __CPROVER_assume(2 < n && n < 10);
    int *block = malloc(n * sizeof *block), other = 7;
    block[0] = 5;
    if (n > 5)
        change(block + 2);
    __CPROVER_assert(block[0] == other - 2, "not changed");
    return 0;
}
