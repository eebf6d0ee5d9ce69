// EXPECT: true unreach-call ILP32
// More blocks of different sizes than fit into 32 bits of addresses if each has room for 16 megabytes: none of them lies at the place of another.
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static int *blocks[300];

int main(void) {
    for (int i = 0; i < 300; i++) {
        blocks[i] = malloc((__VERIFIER_nondet_uint() % 3 + 1) * sizeof(int));
        if (!blocks[i])
            return 0;
        *blocks[i] = i;
    }
    if (*blocks[0] != 0)
        reach_error();
    return 0;
}
