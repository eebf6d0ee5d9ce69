// EXPECT: true unreach-call LP64
// A weighted sum of three variables keeps its value, which nothing in the program names; and the steps of a square root.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    unsigned x = (unsigned)__VERIFIER_nondet_int(), y = (unsigned)__VERIFIER_nondet_int(), z = 0;
    unsigned before = x + 3 * y;
    while (__VERIFIER_nondet_int()) {
        unsigned step = (unsigned)__VERIFIER_nondet_int();
        x += 6 * step;
        y -= step;
        z += step;
    }
    if (x + 3 * y != before + 3 * z) {
        reach_error();
    }
    unsigned root = 0, odd = 1, sum = 1;
    while (sum <= before) {
        root++;
        odd += 2;
        sum += odd;
        if (sum != (root + 1) * (root + 1)) {
            reach_error();
        }
    }
    return 0;
}
