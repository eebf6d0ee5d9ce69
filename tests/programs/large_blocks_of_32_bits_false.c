// EXPECT: false unreach-call ILP32 UNKNOWN-OK
// One of several blocks whose size is not constant has more than 20 megabytes.
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    for (int i = 0; i < 3; i++) {
        unsigned bytes = __VERIFIER_nondet_uint();
        if (bytes > 30000000)
            return 0;
        char *block = malloc(bytes), *end = block + bytes;
        if (block && end - block > 20000000)
            reach_error();
    }
    return 0;
}
