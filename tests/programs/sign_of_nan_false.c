// EXPECT: false unreach-call LP64 UNKNOWN-OK
// The logarithm of a negative number is a NaN with either sign.
#include <math.h>
extern void reach_error(void);
int main(void) {
    volatile double x = -1.0;
    if (signbit(log(x)))
        reach_error();
    return 0;
}
