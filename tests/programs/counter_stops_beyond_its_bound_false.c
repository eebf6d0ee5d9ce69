// EXPECT: false unreach-call LP64
// The counter makes steps of 2, so it is greater than an odd bound in the end.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), i = 0;
    if (n < 0 || n > 100)
        return 0;
    while (i < n)
        i += 2;
    if (i != n)
        reach_error();
    return 0;
}
