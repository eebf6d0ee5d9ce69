// EXPECT: true
// FILES: tinyexpr.c
// OPTIONS: -I.
/* x*2 of any small whole number is what it should be. */
#include "tinyexpr.h"
extern void reach_error(void);
extern short __VERIFIER_nondet_short(void);

int main(void) {
    double x;
    te_variable variables[] = {{"x", &x}};
    int error;
    te_expr *e = te_compile("x*2+1", variables, 1, &error);
    if (!e)
        reach_error();
    x = __VERIFIER_nondet_short();
    if (te_eval(e) != 2 * x + 1)
        reach_error();
    te_free(e);
    return 0;
}
