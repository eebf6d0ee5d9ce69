// EXPECT: true unreach-call LP64
// Pointers into one of many blocks of a site: their order and distance are those within the block.
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned rounds = __VERIFIER_nondet_uint() % 4;
    for (unsigned i = 0; i < rounds; i++) {
        unsigned n = __VERIFIER_nondet_uint() % 10 + 1;
        int *block = malloc(n * sizeof(int));
        if (!block)
            return 0;
        int *p = block, *end = block + n;
        while (p < end)
            *p++ = 5;
        if (p - block != n)
            reach_error();
        free(block);
    }
    return 0;
}
