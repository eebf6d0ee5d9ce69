// EXPECT: false unreach-call LP64
// INPUTS: 1e30
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int holds);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    double x = __VERIFIER_nondet_double();
    __VERIFIER_assume(x > 0 && x < 1e100);
    check((x + 1.0) - x == 1.0);
    return 0;
}
