// EXPECT: true unreach-call LP64
// The canonical form of a number is the number.
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);
int main(void) {
    float f = __VERIFIER_nondet_float();
    if (f == f && __builtin_canonicalizef(f) != f)
        reach_error();
    return 0;
}
