// EXPECT: false unreach-call ILP32
// INPUTS: 31
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

struct fields {
    unsigned low : 3;
    signed middle : 5;
};

int main(void) {
    struct fields f = {0, 0};
    f.middle = __VERIFIER_nondet_uint();
    check(f.middle >= 0);
    return 0;
}
