// EXPECT: true unreach-call ILP32
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

static void redirect(int **p, int *to) { *p = to; }

int main(void) {
    int a = 1, b = __VERIFIER_nondet_int();
    int *p = &a;
    int **pp = &p;
    redirect(pp, &b);
    **pp = 7;
    check(a == 1 && b == 7 && *p == 7);
    return 0;
}
