// EXPECT: true unreach-call LP64
// ASSUMES: what the program declares impossible (by __builtin_unreachable, __builtin_assume, nonnull, noreturn or a missing return) does not happen
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), m = __VERIFIER_nondet_uint();
    if (n > 7)
        __builtin_unreachable();
    __builtin_assume(m < 3);
    if (n + m > 9)
        reach_error();
    return 0;
}
