// EXPECT: false unreach-call LP64
// INPUTS: 4
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
#define N 50000

int a[N];

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > N)
        return 0;
    for (int *p = a; p < a + n; p += 2)
        *p = 42;
    for (int *p = a; p < a + n; p++)
        if (*p != 42)
            reach_error();
    return 0;
}
