// EXPECT: false unreach-call LP64
// INPUTS: 3 5 6 7
extern void reach_error(void);
extern long __VERIFIER_nondet_long(void);
#define N 100000

long a[N], b[N];

int main(void) {
    unsigned n = __VERIFIER_nondet_long();
    if (n >= N)
        return 0;
    for (unsigned i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_long();
    for (unsigned i = 1; i < n; i++)
        b[i] = a[i];
    for (unsigned i = 0; i < n; i++)
        if (a[i] != b[i])
            reach_error();
    return 0;
}
