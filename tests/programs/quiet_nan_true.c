// EXPECT: true unreach-call LP64
#include <math.h>
extern void reach_error(void);
int main(void) {
    volatile double x = __builtin_nan(""), y = 0.0;
    if (pow(x, y) != 1.0 || fmin(x, 1.0) != 1.0 || hypot(x, INFINITY) != INFINITY)
        reach_error();
    return 0;
}
