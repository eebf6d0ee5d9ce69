// EXPECT: true unreach-call ILP32
// Several blocks whose size is not constant, and not more than 60,000 bytes.
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    for (int i = 0; i < 3; i++) {
        unsigned bytes = __VERIFIER_nondet_uint();
        if (bytes > 60000)
            return 0;
        char *block = malloc(bytes), *end = block + bytes;
        if (block && end - block > 60000)
            reach_error();
    }
    return 0;
}
