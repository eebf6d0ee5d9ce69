// EXPECT: true unreach-call LP64
// Without such a processor, product and sum are rounded one after the other.
extern void reach_error(void);
static double combined(double a, double b, double c) {
#pragma STDC FP_CONTRACT ON
    return a * b + c;
}
int main(void) {
    volatile double a = 1.0 + 0x1p-30;
    if (combined(a, a, -(1.0 + 0x1p-29)) != 0)
        reach_error();
    return 0;
}
