// EXPECT: false unreach-call LP64
// INPUTS: -1 1
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
    int a = __VERIFIER_nondet_int();
    unsigned b = __VERIFIER_nondet_uint();
    if (a < 0 && a > b)
        reach_error();
    return 0;
}
