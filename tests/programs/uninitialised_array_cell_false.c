// EXPECT: false unreach-call LP64
// INPUTS:
// NATIVE: no (depends on an uninitialised variable)
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
    int a[4];
    a[0] = 1;
    unsigned i = __VERIFIER_nondet_uint() % 4;
    if (a[i] == -5)
        reach_error();
    return 0;
}
