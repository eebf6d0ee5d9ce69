// EXPECT: false unreach-call LP64
/* A function with two returns, whose result is tested where it was called: what is returned is a copy of a copy. */
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int positive(void) {
    int r = 1;
    if (__VERIFIER_nondet_int() == 0)
        r = __VERIFIER_nondet_int();
    if (r != 0)
        return r;
    return 0;
}

int main(void) {
    if (positive() == 0)
        reach_error();
    return 0;
}
