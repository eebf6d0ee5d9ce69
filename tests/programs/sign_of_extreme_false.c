// EXPECT: false unreach-call LP64
// The greater of numbers is known unless both are zeros.
#include <math.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
int main(void) {
    double x = __VERIFIER_nondet_double();
    if (x > 1 && fmax(x, 2.0) == 2.5)
        reach_error();
    return 0;
}
