// EXPECT: false unreach-call LP64
// INPUTS: 5
// An assumption does not undo what came before it.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int holds);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x == 5)
        reach_error();
    __VERIFIER_assume(x != 5);
    return 0;
}
