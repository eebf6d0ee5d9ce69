// EXPECT: false unreach-call LP64 UNKNOWN-OK
// C leaves open whether the power 0 of a signalling NaN is 1.
#include <math.h>
extern void reach_error(void);
int main(void) {
    volatile double x = __builtin_nans(""), y = 0.0;
    if (pow(x, y) != 1.0)
        reach_error();
    return 0;
}
