// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern long __VERIFIER_nondet_long(void);
#define N 100000

long a[N], b[N];

int main(void) {
    for (unsigned i = 0; i < N; i++)
        a[i] = __VERIFIER_nondet_long();
    for (unsigned i = 0; i < N; i++)
        b[i] = a[i];
    for (unsigned i = 0; i < N; i++)
        if (a[i] != b[i])
            reach_error();
    return 0;
}
