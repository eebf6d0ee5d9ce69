// EXPECT: true unreach-call LP64 UNKNOWN-OK
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    unsigned x = 0;
    while (__VERIFIER_nondet_bool())
        x += 2;
    check(x % 2 == 0);
    return 0;
}
