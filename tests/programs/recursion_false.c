// EXPECT: false unreach-call ILP32
// INPUTS: 7
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 0 && n < 8 && fibonacci(n) == 13)
        reach_error();
    return 0;
}
