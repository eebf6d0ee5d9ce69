// EXPECT: false unreach-call LP64 UNKNOWN-OK
// INPUTS:
// NATIVE: no (another library than glibc)
#include <math.h>

extern void reach_error(void);

/* ISO C promises three bits of the quotient, or more. */
int main(void) {
    int quotient;
    remquo(100, 1, &quotient);
    if (quotient == 100)
        reach_error();
    return 0;
}
