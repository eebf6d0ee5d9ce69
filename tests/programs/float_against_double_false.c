// EXPECT: false unreach-call LP64
// INPUTS: 0.1
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void) {
    double d = __VERIFIER_nondet_double();
    float f = (float)d;
    if (d > 0 && d < 1 && f != d)
        reach_error();
    return 0;
}
