// EXPECT: true label:ERROR LP64
extern int __VERIFIER_nondet_int(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_int();
    if (n % 4 == 5)
        goto ERROR;
    return 0;
ERROR:
    return 1;
}
