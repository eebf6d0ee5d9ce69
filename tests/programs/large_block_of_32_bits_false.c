// EXPECT: false unreach-call ILP32 UNKNOWN-OK
// A block of 600 to 900 megabytes, whose size is not constant.
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned bytes = __VERIFIER_nondet_uint();
    if (bytes > 900000000)
        return 0;
    char *block = malloc(bytes);
    if (block && bytes > 600000000)
        reach_error();
    return 0;
}
