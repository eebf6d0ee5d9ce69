// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern int __VERIFIER_nondet_int(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

struct flags {
    _Bool a, b;
};

int main(void) {
    _Bool x = __VERIFIER_nondet_bool();
    struct flags f = {__VERIFIER_nondet_int(), 256};
    check(x == 0 || x == 1);
    check(f.a <= 1 && f.b == 1);
    return 0;
}
