// EXPECT: false unreach-call LP64
// Without the upper bound of an int the sum may be anything, with few rounds too.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned a = __VERIFIER_nondet_uint();
    for (unsigned i = 0; i < 5; i++) {
        a++;
    }
    if (a == 0) {
        reach_error();
    }
    return 0;
}
