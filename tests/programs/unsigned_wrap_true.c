// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    unsigned y = x + 1;
    if (y < x)
        check(y == 0 && x == 0xffffffffu);
    else
        check(y - x == 1);
    return 0;
}
