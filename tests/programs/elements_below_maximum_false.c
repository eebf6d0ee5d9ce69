// EXPECT: false unreach-call LP64
// INPUTS: 2 -1 1 1
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
#define N 100000

int a[N];

int main(void) {
    unsigned length = __VERIFIER_nondet_int();
    if (length == 0 || length > N)
        return 0;
    for (unsigned k = 0; k < length; k++)
        a[k] = __VERIFIER_nondet_int();
    unsigned max = a[0];
    for (unsigned k = 1; k < length; k++)
        max = max < (unsigned)a[k] ? (unsigned)a[k] : max;
    unsigned some = __VERIFIER_nondet_int();
    if (some < length && a[some] > (int)max)
        reach_error();
    return 0;
}
