// EXPECT: true unreach-call LP64
// ASSUMES: what the program declares impossible (by __builtin_unreachable, __builtin_assume, nonnull, noreturn or a missing return) does not happen
// The function returns for some inputs although it is declared not to: compilers place no code after its call.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

_Noreturn static void stop(void) {
    if (__VERIFIER_nondet_int())
        return;
    for (;;)
        ;
}

int main(void) {
    if (__VERIFIER_nondet_int()) {
        stop();
        reach_error();
    }
    return 0;
}
