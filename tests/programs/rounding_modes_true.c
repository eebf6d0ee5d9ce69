// EXPECT: true unreach-call LP64
// All four rounding modes, in arithmetic, conversions and rounding to integers.
#include <fenv.h>
#include <math.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static double third(double x) { return x / 3; }
static float narrow(double x) { return (float)x; }
int main(void) {
    int modes[4] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    double quotients[4], whole[4], minus[4];
    float parts[4];
    for (int i = 0; i < 4; i++) {
        if (fesetround(modes[i]) != 0 || fegetround() != modes[i])
            reach_error();
        quotients[i] = third(-1);
        parts[i] = narrow(0.1);
        whole[i] = rint(2.5);
        minus[i] = nearbyint(-1.5);
    }
    if (!(quotients[2] < quotients[1]) || quotients[3] != quotients[1] || quotients[0] != quotients[1])
        reach_error();
    if (!(parts[2] < parts[1]) || parts[3] != parts[2] || parts[0] != parts[1])
        reach_error();
    if (whole[0] != 2 || whole[1] != 3 || whole[2] != 2 || whole[3] != 2)
        reach_error();
    if (minus[0] != -2 || minus[1] != -1 || minus[2] != -2 || minus[3] != -1)
        reach_error();
    if (fesetround(5) == 0)
        reach_error();
    fesetround(FE_UPWARD);
    int n = __VERIFIER_nondet_int();
    // More digits than a float has.
    float f = (float)n;
    if ((double)f < n || floor(2.5) != 2 || round(2.5) != 3)
        reach_error();
    return 0;
}
