// EXPECT: false unreach-call LP64
// Rounded down, a sum may be smaller than if it were rounded to nearest.
#include <fenv.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
    double x = __VERIFIER_nondet_double();
    if (!(x > 1e-20 && x < 1e-17))
        return 0;
    fesetround(__VERIFIER_nondet_bool() ? FE_DOWNWARD : FE_TONEAREST);
    double sum = x - 1;
    fesetround(FE_TONEAREST);
    if (sum != x - 1)
        return 0;
    fesetround(FE_UPWARD);
    if (sum != x - 1)
        reach_error();
    return 0;
}
