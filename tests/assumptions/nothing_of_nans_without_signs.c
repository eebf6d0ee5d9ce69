// EXPECT: true unreach-call LP64
// Negation and absolute value change the sign only, which no comparison sees.
#include <math.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
int main(void) {
    double x = __VERIFIER_nondet_double(), y = x / 3;
    if (fabs(y) < 0 || -y > INFINITY)
        reach_error();
    return 0;
}
