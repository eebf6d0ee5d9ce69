// EXPECT: false unreach-call LP64
// INPUTS: 5
// As mutual_recursion_unbounded_true, but one number is taken for even and odd.
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

static int is_odd(unsigned n);

static int is_even(unsigned n) {
    if (n == 0 || n == 5)
        return 1;
    return is_odd(n - 1);
}

static int is_odd(unsigned n) {
    if (n == 0)
        return 0;
    return is_even(n - 1);
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (is_even(n) != (n % 2 == 0))
        reach_error();
    return 0;
}
