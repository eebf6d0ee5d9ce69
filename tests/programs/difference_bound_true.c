// EXPECT: true unreach-call LP64
// The distance between a and i stays positive, though a may pass the greatest int on the way.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a = __VERIFIER_nondet_int();
    if (a < 7) {
        return 0;
    }
    unsigned b = (unsigned)a;
    for (unsigned i = 0; i < 500000; i++) {
        b++;
    }
    if (b == 0 || b == 500006) {
        reach_error();
    }
    return 0;
}
