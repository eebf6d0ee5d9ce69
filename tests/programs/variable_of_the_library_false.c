// EXPECT: false unreach-call LP64 UNKNOWN-OK
// lgamma changes it.
#include <math.h>
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);
extern int signgam;
int main(void) {
    signgam = 1;
    double r = lgamma(__VERIFIER_nondet_double());
    if (signgam == -1)
        reach_error();
    return r > 1;
}
