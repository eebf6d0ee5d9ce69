// EXPECT: false unreach-call ILP32
// INPUTS: 16777217
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int holds);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int i = __VERIFIER_nondet_int();
    __VERIFIER_assume(i > 0 && i < 100000000);
    check((int)(float)i == i);
    return 0;
}
