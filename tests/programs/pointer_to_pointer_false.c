// EXPECT: false unreach-call LP64
// INPUTS: 1
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a = 1, b = 2;
    int *p = &a;
    int **pp = &p;
    if (__VERIFIER_nondet_int())
        *pp = &b;
    *p = 3;
    if (b == 3)
        reach_error();
    return 0;
}
