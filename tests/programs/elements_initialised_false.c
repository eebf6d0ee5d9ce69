// EXPECT: false unreach-call LP64
// INPUTS: 3
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void *calloc(unsigned long, unsigned long);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 1000000)
        return 0;
    int *a = calloc(n, sizeof(int));
    for (int i = 0; i < n - 1; i++)
        a[i] = i;
    for (int i = 0; i < n; i++)
        if (a[i] != i)
            reach_error();
    return 0;
}
