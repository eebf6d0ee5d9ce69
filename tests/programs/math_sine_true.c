// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int holds);

static void check(int holds) {
    if (!holds)
        reach_error();
}

double sin(double x);

int main(void) {
    double x = __VERIFIER_nondet_double();
    __VERIFIER_assume(x > -10 && x < 10);
    double s = sin(x);
    check(s >= -1 && s <= 1);
    return 0;
}
