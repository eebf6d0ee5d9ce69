// EXPECT: false unreach-call ILP32
// INPUTS: 3 3
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int a[8] = {0};
    unsigned i = __VERIFIER_nondet_uint() % 8, j = __VERIFIER_nondet_uint() % 8;
    a[i] = 5;
    a[j] = 6;
    check(a[i] == 5);
    return 0;
}
