// EXPECT: false unreach-call LP64
// INPUTS: 2147483647
// NATIVE: no-sanitizers
// Signed overflow wraps, and no pass may use that it is undefined.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > 0 && x + 1 < x)
        reach_error();
    return 0;
}
