// EXPECT: true unreach-call LP64
#include <math.h>

extern void reach_error(void);

int main(void) {
    double zero = 0, nan = zero / zero;
    if (fmin(-zero, zero) != 0 || copysign(1, fmax(-zero, -zero)) > 0)
        reach_error();
    if (fmin(1, 2) != 1 || fmax(-1, zero) != 0 || fmin(nan, 3) != 3)
        reach_error();
    return 0;
}
