// EXPECT: false unreach-call LP64
// INPUTS: 9007199254740993
extern void reach_error(void);
extern long long __VERIFIER_nondet_longlong(void);
extern void __VERIFIER_assume(int holds);

int main(void) {
    long long n = __VERIFIER_nondet_longlong();
    __VERIFIER_assume(n > 0);
    if ((long long)(long double)n == n && (double)n != (long double)n)
        reach_error();
    return 0;
}
