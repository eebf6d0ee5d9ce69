// EXPECT: true unreach-call LP64
// ASSUMES: compilers turn no other code (copies, arithmetic, calls of other functions) into calls of the program's own floor
extern void reach_error(void);
double floor(double x) {
    reach_error();
    return x;
}
int main(void) {
    volatile double d = 1.5;
    return __builtin_floor(d) > 1;
}
