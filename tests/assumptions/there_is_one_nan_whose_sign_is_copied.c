// EXPECT: true unreach-call LP64
// ASSUMES: each operation on floating-point numbers that yields a NaN yields the same one, without a sign
#include <math.h>
extern void reach_error(void);
int main(void) {
    volatile double zero = 0;
    if (copysign(1.0, zero / zero) < 0)
        reach_error();
    return 0;
}
