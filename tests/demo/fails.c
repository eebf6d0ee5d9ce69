// The middle of two indices, as it stood in many a binary search: the sum overflows.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

static int middle(int low, int high) { return (int)((unsigned)low + (unsigned)high) / 2; }

int main(void) {
    int low = __VERIFIER_nondet_int();
    int high = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= low && low <= high);
    int m = middle(low, high);
    if (m < low || m > high) {
        reach_error();
    }
    return 0;
}
