// EXPECT: false unreach-call LP64
// INPUTS: 256
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    _Bool b = n;
    unsigned char c = (unsigned char)n;
    check(b == (c != 0));
    return 0;
}
