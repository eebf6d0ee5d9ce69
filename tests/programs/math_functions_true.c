// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int holds);

static void check(int holds) {
    if (!holds)
        reach_error();
}

double sqrt(double x);
double floor(double x);
double ceil(double x);
double fabs(double x);
double fmod(double x, double y);

int main(void) {
    check(sqrt(2.25) == 1.5 && floor(-1.5) == -2 && ceil(-1.5) == -1);
    check(fabs(-3.0) == 3 && fmod(7.5, 2) == 1.5 && fmod(-7.5, 2) == -1.5);
    double x = __VERIFIER_nondet_double();
    __VERIFIER_assume(x >= -1000 && x <= 1000);
    check(floor(x) <= x && x - floor(x) <= 1);
    check(fabs(x) >= 0);
    return 0;
}
