// EXPECT: true unreach-call ILP32
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    double x = __VERIFIER_nondet_double();
    if (x != x) {
        check(!(x < 0) && !(x >= 0) && !(x == x));
        check(x + 1 != x + 1);
    } else {
        check(x == x && (x < 0 || x >= 0));
    }
    return 0;
}
