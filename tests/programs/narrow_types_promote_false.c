// EXPECT: false unreach-call ILP32
// INPUTS: 200 100
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    unsigned char a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar();
    unsigned char sum = a + b;
    check(sum >= a);
    return 0;
}
