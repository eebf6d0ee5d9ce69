// EXPECT: false unreach-call LP64
// INPUTS: 0 3
// As recursive_sum_unbounded_true, but the call that is asked for three forgets to count.
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

static unsigned calls;

static unsigned plus(unsigned a, unsigned b) {
    calls++;
    if (b == 0)
        return a;
    unsigned rest = plus(a, b - 1);
    return b == 3 ? rest : rest + 1;
}

int main(void) {
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    unsigned sum = plus(a, b);
    if (sum != a + b || calls != b + 1)
        reach_error();
    return 0;
}
