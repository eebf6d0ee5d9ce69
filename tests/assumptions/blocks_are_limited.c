// EXPECT: true unreach-call ILP32
// ASSUMES: memory allocation (malloc, new, ...) never fails, also not for 0 bytes
// ASSUMES: no block whose size is not constant has more than 2^29 bytes
#include <stdlib.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    char *p = malloc(n);
    if (p && n > 1u << 30)
        reach_error();
    return 0;
}
