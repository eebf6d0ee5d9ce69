// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int holds);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    __VERIFIER_assume(x != 0);
    check(__builtin_popcount(x) >= 1 && __builtin_popcount(x) <= 32);
    check((x >> __builtin_ctz(x) & 1) == 1);
    check(x >> (31 - __builtin_clz(x)) == 1);
    check(__builtin_bswap32(__builtin_bswap32(x)) == x);
    check(__builtin_parity(x) == __builtin_popcount(x) % 2);
    return 0;
}
