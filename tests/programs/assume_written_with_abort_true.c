// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

void abort(void);

static void assume_abort_if_not(int holds) {
    if (!holds)
        abort();
}

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    assume_abort_if_not(x % 2 == 0);
    check((x & 1) == 0);
    return 0;
}
