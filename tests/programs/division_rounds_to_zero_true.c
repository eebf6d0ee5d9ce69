// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern signed char __VERIFIER_nondet_schar(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    signed char a = __VERIFIER_nondet_schar();
    signed char b = __VERIFIER_nondet_schar();
    if (b == 0)
        return 0;
    int q = a / b, r = a % b;
    check(q * b + r == a);
    check(r == 0 || (r < 0) == (a < 0));
    return 0;
}
