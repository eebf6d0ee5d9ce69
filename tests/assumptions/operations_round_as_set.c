// EXPECT: true unreach-call LP64
// ASSUMES: operations on floating-point numbers round as fesetround has set, although the program was not compiled with -frounding-math
#include <fenv.h>
extern void reach_error(void);
int main(void) {
    volatile double one = 1, three = 3;
    fesetround(FE_UPWARD);
    double up = one / three;
    fesetround(FE_DOWNWARD);
    if (!(one / three < up))
        reach_error();
    return 0;
}
