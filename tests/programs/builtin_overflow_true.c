// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), r;
    int over = __builtin_add_overflow(a, b, &r);
    long exact = (long)a + b;
    check(over == (exact != (int)exact));
    check(r == (int)exact);
    return 0;
}
