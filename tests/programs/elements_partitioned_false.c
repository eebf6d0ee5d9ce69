// EXPECT: false unreach-call LP64
// INPUTS: 2 0 -1
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
#define N 100000

int a[N], negative[N], others[N];

int main(void) {
    int length = __VERIFIER_nondet_int();
    if (length < 0 || length > N)
        return 0;
    for (int i = 0; i < length; i++)
        a[i] = __VERIFIER_nondet_int();
    int n = 0, m = 0;
    for (int i = 0; i < length; i++) {
        int x = a[i];
        if (x > 0)
            others[m++] = x;
        else
            negative[n++] = x;
    }
    while (n > 0)
        if (negative[--n] >= 0)
            reach_error();
    return 0;
}
