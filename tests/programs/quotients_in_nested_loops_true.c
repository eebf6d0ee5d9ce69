// EXPECT: true unreach-call LP64 UNKNOWN-OK
// What one exploration finds at heads of loops serves the next one: among it are definitions with quotients, terms of the first one's arena.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned a = 2, c = __VERIFIER_nondet_uint(), b = c, d = __VERIFIER_nondet_uint(), e = __VERIFIER_nondet_uint(), f = 0;
    while (__VERIFIER_nondet_uint()) {
        while (a != 4) {
            if (f != f)
                while (f > 4 / a) {
                    c = e * c;
                    b = f % b + a;
                    f -= b;
                }
            while (d % 4 < c) {
                a = b * c - c;
                d = b;
                d += c;
            }
            f++;
        }
    }
    if (a / c > a)
        reach_error();
    return 0;
}
