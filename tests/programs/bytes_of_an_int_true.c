// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    unsigned y = 0;
    unsigned char *from = (unsigned char *)&x, *to = (unsigned char *)&y;
    for (unsigned i = 0; i < sizeof x; i++)
        to[i] = from[sizeof x - 1 - i];
    check(y == __builtin_bswap32(x));
    return 0;
}
