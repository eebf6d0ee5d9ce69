// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
#define N 100000

int a[N], negative[N], others[N];

int main(void) {
    for (int i = 0; i < N; i++)
        a[i] = __VERIFIER_nondet_int();
    int n = 0, m = 0;
    for (int i = 0; i < N; i++)
        if (a[i] < 0)
            negative[n++] = a[i];
        else
            others[m++] = a[i];
    for (int i = 0; i < n; i++)
        if (negative[i] >= 0)
            reach_error();
    for (int i = 0; i < m; i++)
        if (others[i] < 0)
            reach_error();
    return 0;
}
