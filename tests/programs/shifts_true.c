// EXPECT: true unreach-call ILP32
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int holds);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    unsigned n = __VERIFIER_nondet_uint();
    __VERIFIER_assume(n > 0 && n < 32);
    check(((x << n) >> n) <= x);
    check((x >> n) <= 0x7fffffffu);
    unsigned turned = x << n | x >> (32 - n);
    check((turned >> n | turned << (32 - n)) == x);
    return 0;
}
