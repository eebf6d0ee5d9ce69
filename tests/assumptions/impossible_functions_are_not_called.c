// EXPECT: true unreach-call LP64
// ASSUMES: what the program declares impossible (by __builtin_unreachable, __builtin_assume, nonnull, noreturn or a missing return) does not happen
// No branch leads to the impossible block: it is the whole function.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static void never(void) { __builtin_unreachable(); }
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x == 3)
        never();
    if (x == 3)
        reach_error();
    return 0;
}
