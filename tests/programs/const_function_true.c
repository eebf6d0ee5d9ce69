// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern int parity(int n) __attribute__((const));

int main(void) {
    int n = __VERIFIER_nondet_int(), m = n;
    int first = parity(n);
    if (first != parity(m + 0))
        reach_error();
    return 0;
}
