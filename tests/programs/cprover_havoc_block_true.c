// EXPECT: true unreach-call LP64
// All bytes of the block are arbitrary, and those of no other object.
// NATIVE: no (clang does not know these functions)
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

static void change(int *p) { __CPROVER_havoc_object(p); }

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    __CPROVER_assume(2 < n && n < 10);
    int *block = malloc(n * sizeof *block), other = 7;
    block[n - 1] = 5;
    if (n > 5)
        change(block + 2);
    __CPROVER_assert(other == 7, "another object");
    __CPROVER_assert(block[n - 1] == 5 || n > 5, "not changed");
    return 0;
}
