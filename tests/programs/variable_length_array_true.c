// EXPECT: true unreach-call ILP32
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int holds);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n > 0 && n <= 4);
    int a[n];
    for (int i = 0; i < n; i++)
        a[i] = i * i;
    check(a[n - 1] == (n - 1) * (n - 1));
    check(sizeof a == (unsigned)n * sizeof(int));
    return 0;
}
