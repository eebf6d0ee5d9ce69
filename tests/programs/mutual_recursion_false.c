// EXPECT: false unreach-call LP64
// INPUTS: 9
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }

int main(void) {
    unsigned n = __VERIFIER_nondet_uint() % 12;
    if (n > 8 && is_odd(n))
        reach_error();
    return 0;
}
