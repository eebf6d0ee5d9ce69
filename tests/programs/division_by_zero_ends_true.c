// EXPECT: true unreach-call LP64
// NATIVE: no-sanitizers
// Nothing comes after a division by zero.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = 10 / x;
    if (x == 0)
        reach_error();
    return y == 11;
}
