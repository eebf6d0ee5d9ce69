// EXPECT: true unreach-call ILP32
// ASSUMES: floating-point operations round to the precision of their type
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
int main(void) {
    double x = __VERIFIER_nondet_double();
    if (x != 1)
        return 0;
    // A register of the x87 has more bits than the variable.
    double tenth = x / 10;
    if (tenth != x / 10)
        reach_error();
    return 0;
}
