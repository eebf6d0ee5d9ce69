// EXPECT: false unreach-call ILP32
// INPUTS: 10 20 30 40
// The second and third inputs do not matter, yet are read.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    int c = __VERIFIER_nondet_int();
    int d = __VERIFIER_nondet_int();
    int ignored = b * c;
    (void)ignored;
    if (a == 10 && d == 40)
        reach_error();
    return 0;
}
