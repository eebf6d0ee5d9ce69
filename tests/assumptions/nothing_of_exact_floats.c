// EXPECT: true unreach-call ILP32
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);
int main(void) {
    float x = __VERIFIER_nondet_float();
    double y = x;
    if (x > 1 && y <= 1)
        reach_error();
    return 0;
}
