// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

/* A positive number less one is not negative, nor is its half. */
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0)
        return 0;
    while (n > 0) {
        n--;
        if (__VERIFIER_nondet_int())
            n /= 2;
    }
    if (n != 0)
        reach_error();
    return 0;
}
