// EXPECT: true unreach-call LP64
// Any number is even or odd, by functions that call each other.
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

static int is_odd(unsigned n);

static int is_even(unsigned n) {
    if (n == 0)
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
