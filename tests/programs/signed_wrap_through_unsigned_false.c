// EXPECT: false unreach-call LP64
// INPUTS: 1073741824
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > 0)
        check((int)((unsigned)x * 2u) > 0);
    return 0;
}
