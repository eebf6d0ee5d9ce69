// EXPECT: false unreach-call LP64 UNKNOWN-OK
// INPUTS:
// glibc rounds it up beyond 1.
#include <math.h>

extern void reach_error(void);

int main(void) {
    if (cbrt(0xf.ffffffffffffp-4) > 1)
        reach_error();
    return 0;
}
