// EXPECT: false unreach-call LP64
// The determinant is kept by all row operations but one, after which it is doubled.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    long long a = 1, b = 0, c = 0, d = 1;
    for (int i = 0; i < 3; i++) {
        if (__VERIFIER_nondet_int()) {
            a -= c;
            b -= d;
        } else {
            c += 3 * a;
            d += 3 * b + (i == 2 ? d : 0);
        }
    }
    if (a * d - b * c != 1) {
        reach_error();
    }
    return 0;
}
