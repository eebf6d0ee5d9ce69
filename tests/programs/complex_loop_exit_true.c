// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int holds);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    unsigned a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(a > 0 && a < 8 && b > 0 && b < 8);
    unsigned x = a, y = b;
    while (y != 0) {
        unsigned rest = x % y;
        x = y;
        y = rest;
    }
    check(x > 0 && a % x == 0 && b % x == 0);
    return 0;
}
