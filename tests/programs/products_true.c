// EXPECT: true unreach-call LP64
// Equations with products hold in every round, however many there are: squares as sums of odd numbers, and a determinant that row
// operations keep.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    unsigned n = 0, square = 0;
    long long a = 1, b = 0, c = 0, d = 1;
    while (__VERIFIER_nondet_int()) {
        square += 2 * n + 1;
        n++;
        if (__VERIFIER_nondet_int()) {
            a -= c;
            b -= d;
        } else {
            c += 3 * a;
            d += 3 * b;
        }
        if (square != n * n) {
            reach_error();
        }
        if (a * d - b * c != 1) {
            reach_error();
        }
    }
    return 0;
}
