// EXPECT: true unreach-call LP64
// A path around the loop is infeasible for two reasons: the counter, of which predicates would follow one by one, and two copies.
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned a = __VERIFIER_nondet_uchar(), b = a, i = 0;
    while (i < 1000) {
        i++;
    }
    if (i != 1000 && a != b) {
        reach_error();
    }
}
