// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

static unsigned sum(unsigned n) { return n == 0 ? 0 : n + sum(n - 1); }

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n <= 10)
        check(sum(n) == n * (n + 1) / 2);
    return 0;
}
