// EXPECT: false unreach-call LP64
// NATIVE: no (whether the function is there is up to how the program is linked)
extern double cbrt(double) __attribute__((weak));
extern int __VERIFIER_nondet_int(void) __attribute__((weak));
extern void reach_error(void);

/* A weak reference does not make the linker search a library: without -lm, the function is not there. */
int main(void) {
    int n = 0;
    if (__VERIFIER_nondet_int)
        n = 1;
    if (!cbrt && n == 1)
        reach_error();
    return 0;
}
