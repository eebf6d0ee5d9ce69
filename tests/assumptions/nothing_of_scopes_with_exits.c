// EXPECT: true unreach-call LP64
// clang ends the scope by a switch that has no other case than these.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        int n = __VERIFIER_nondet_int();
        if (n < 0)
            return 0;
        if (n > 10)
            break;
        sum += n;
    }
    if (sum > 30)
        reach_error();
    return 0;
}
