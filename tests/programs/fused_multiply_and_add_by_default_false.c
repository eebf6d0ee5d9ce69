// EXPECT: false unreach-call LP64 UNKNOWN-OK
// Unless it is told otherwise, clang lets a processor that can do so round once.
extern void reach_error(void);
__attribute__((target("fma"))) static double combined(double a, double b, double c) { return a * b + c; }
int main(void) {
    volatile double a = 1.0 + 0x1p-30;
    if (combined(a, a, -(1.0 + 0x1p-29)) != 0)
        reach_error();
    return 0;
}
