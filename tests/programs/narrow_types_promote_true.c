// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    unsigned char a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar();
    int sum = a + b;
    check(sum >= 0 && sum <= 510);
    unsigned char cut = (unsigned char)sum;
    check(cut == sum || cut == sum - 256);
    return 0;
}
