// EXPECT: false label:ERROR LP64
// VIOLATED: the label ERROR is reached
extern int __VERIFIER_nondet_int(void);

int main(void) {
    if (__VERIFIER_nondet_int() == 3)
        goto ERROR;
    return 0;
ERROR:
    return 1;
}
