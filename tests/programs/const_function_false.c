// EXPECT: false unreach-call LP64
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern int parity(int n) __attribute__((const));

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (parity(n) == parity(n) && parity(n + 1) != parity(n))
        reach_error();
    return 0;
}
