// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    int twice = (int)((unsigned)x * 2u);
    check(twice % 2 == 0);
    check((int)((unsigned)x - 1u + 1u) == x);
    return 0;
}
