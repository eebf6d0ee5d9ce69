// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    check((x >> 31) == (x < 0 ? -1 : 0));
    check(((unsigned)x >> 31) == (unsigned)(x < 0));
    return 0;
}
