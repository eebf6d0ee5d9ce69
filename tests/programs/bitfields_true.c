// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

struct fields {
    unsigned low : 3;
    signed middle : 5;
    unsigned high : 24;
};

int main(void) {
    struct fields f = {0, 0, 0xabcdef};
    f.low = __VERIFIER_nondet_uint();
    f.middle = __VERIFIER_nondet_int() & 15;
    f.low++;
    check(f.low < 8 && f.middle >= 0 && f.middle < 16);
    check(f.high == 0xabcdef);
    return 0;
}
