// EXPECT: true unreach-call LP64
// Nobody looks at the bits of the NaN.
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
int main(void) {
    double x = __VERIFIER_nondet_double(), y = -(x - x);
    if (y > 0 || (y != y && y == x))
        reach_error();
    return 0;
}
