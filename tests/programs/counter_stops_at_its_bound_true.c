// EXPECT: true unreach-call LP64
// Neither intervals nor signs know where the counter stops: that it is not greater than its bound relates two variables.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), i = 0;
    if (n < 0)
        return 0;
    while (i < n)
        i++;
    if (i != n)
        reach_error();
    return 0;
}
