// EXPECT: true unreach-call LP64
// A sum by recursion, of any number: what the call returns is known only as an equation between arguments and result.
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

static unsigned calls;

static unsigned plus(unsigned a, unsigned b) {
    calls++;
    if (b == 0)
        return a;
    return plus(a, b - 1) + 1;
}

int main(void) {
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    unsigned sum = plus(a, b);
    if (sum != a + b || calls != b + 1)
        reach_error();
    return 0;
}
