// EXPECT: true unreach-call LP64
// ASSUMES: all floating-point operations that yield a NaN yield the same one, whose sign bit is clear
#include <string.h>
extern void reach_error(void);
int main(void) {
    double zero = 0, nan = zero / zero;
    unsigned long bits;
    memcpy(&bits, &nan, sizeof bits);
    if (bits >> 63)
        reach_error();
    return 0;
}
