// EXPECT: true unreach-call LP64
#include <math.h>
extern void reach_error(void);
int main(void) {
    volatile double x = -0.0, y = 0.0;
    double most = fmax(x, y), least = fmin(x, 2.0);
    if (most != 0 || !signbit(least) || fmax(y, y) != 0 || signbit(fmax(y, y)))
        reach_error();
    return 0;
}
