// EXPECT: false unreach-call LP64
// One of the blocks is freed before it is asked about.
// NATIVE: no (clang does not know these functions)
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    char *blocks[3];
    for (int i = 0; i < 3; i++)
        blocks[i] = malloc(4);
    free(blocks[__VERIFIER_nondet_uint() % 3]);
    __CPROVER_assert(__CPROVER_w_ok(blocks[1], 4), "the second block exists");
    return 0;
}
