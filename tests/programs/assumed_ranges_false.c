// EXPECT: false unreach-call LP64
// INPUTS: 3 44999 44999
extern void reach_error(void);
extern void abort(void);
extern int __VERIFIER_nondet_int(void);

static void assume_abort_if_not(int holds) {
    if (!holds)
        abort();
}

/* What a function assumes of a condition that && made is known of its variables. */
int main(void) {
    int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int(), sum = 0, i = 0;
    assume_abort_if_not(n >= 3 && n <= 40000 && m > n && m < 45000);
    while (i++ < n) {
        int step = __VERIFIER_nondet_int();
        assume_abort_if_not(0 <= step && step <= m);
        if (sum > 700000)
            sum = 0;
        sum += step;
        if (sum > 44998 || i > 40000 || m <= 3)
            reach_error();
    }
    return 0;
}
