// EXPECT: false unreach-call LP64
// INPUTS: 1 0
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

/* Less three, it may be, and so may its half. */
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0)
        return 0;
    while (n > 0) {
        n -= 3;
        if (__VERIFIER_nondet_int())
            n /= 2;
    }
    if (n != 0)
        reach_error();
    return 0;
}
