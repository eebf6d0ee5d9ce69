// EXPECT: false unreach-call LP64
// INPUTS: 2.5
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int holds);

static void check(int holds) {
    if (!holds)
        reach_error();
}

double round(double x);
double rint(double x);

int main(void) {
    double x = __VERIFIER_nondet_double();
    __VERIFIER_assume(x > 0 && x < 10);
    check(round(x) == rint(x));
    return 0;
}
