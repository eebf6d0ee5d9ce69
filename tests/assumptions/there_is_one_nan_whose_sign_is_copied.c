// EXPECT: true unreach-call LP64
// ASSUMES: all floating-point operations that yield a NaN yield the same one, whose sign bit is clear
#include <math.h>
extern void reach_error(void);
int main(void) {
    volatile double zero = 0;
    if (copysign(1.0, zero / zero) < 0)
        reach_error();
    return 0;
}
