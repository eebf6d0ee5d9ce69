// EXPECT: true unreach-call LP64
// ASSUMES: all floating-point operations that yield a NaN yield the same one, whose sign bit is clear
#include <math.h>
extern void reach_error(void);
int main(void) {
    double r = fmod(1.0, 0.0);
    if (signbit(r))
        reach_error();
    return 0;
}
