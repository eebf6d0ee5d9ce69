// EXPECT: false unreach-call LP64
// The last element is longer than what is left of the block.
// NATIVE: no (clang does not know these functions)
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), i = __VERIFIER_nondet_uint();
    if (n > 100 || i >= n)
        return 0;
    char *block = malloc(n + 2);
    __CPROVER_assert(__CPROVER_r_ok(block + i, 4), "an element is readable");
    return 0;
}
