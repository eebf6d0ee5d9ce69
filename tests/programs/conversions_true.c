// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern short __VERIFIER_nondet_short(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    short s = __VERIFIER_nondet_short();
    long l = s;
    unsigned u = (unsigned)s;
    check(l == (int)u);
    check((unsigned short)s == (u & 0xffff));
    check((long)u == (s < 0 ? s + 4294967296L : s));
    return 0;
}
