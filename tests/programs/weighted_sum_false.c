// EXPECT: false unreach-call LP64
// The weighted sum is kept by all steps but that by 1000.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    unsigned x = (unsigned)__VERIFIER_nondet_int(), y = (unsigned)__VERIFIER_nondet_int();
    unsigned before = x + 3 * y;
    while (__VERIFIER_nondet_int()) {
        unsigned step = (unsigned)__VERIFIER_nondet_int();
        x += 3 * step;
        y -= step == 1000 ? 999 : step;
    }
    if (x + 3 * y != before) {
        reach_error();
    }
    return 0;
}
