// EXPECT: false unreach-call LP64 UNKNOWN-OK
// INPUTS:
#include <math.h>

extern void reach_error(void);

/* glibc's pow is not rounded once. */
int main(void) {
    double x = 0x1.032358ca9c70ep+0;
    if (pow(x, 2) != x * x)
        reach_error();
    return 0;
}
