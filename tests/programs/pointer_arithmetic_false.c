// EXPECT: false unreach-call ILP32
// INPUTS: 4
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a[10] = {0};
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n >= 5)
        return 0;
    int *p = &a[5] + n;
    if (p - a == 9)
        reach_error();
    return 0;
}
