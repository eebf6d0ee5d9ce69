// EXPECT: true unreach-call LP64
// What follows a call that does not return says nothing; and what is declared impossible does not matter here.
extern void reach_error(void);
extern _Noreturn void abort(void);
extern unsigned __VERIFIER_nondet_uint(void);
static _Noreturn void give_up(void) {
    abort();
}
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), m = __VERIFIER_nondet_uint();
    if (n > 7)
        give_up();
    if (n > 7)
        reach_error();
    return 0;
}
