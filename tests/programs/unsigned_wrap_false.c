// EXPECT: false unreach-call ILP32
// INPUTS: 4294967295
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    check(x + 1 > x);
    return 0;
}
