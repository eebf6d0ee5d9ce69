// EXPECT: false unreach-call LP64
// INPUTS: -7
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int a = __VERIFIER_nondet_int();
    check((a >> 1) == a / 2);
    return 0;
}
