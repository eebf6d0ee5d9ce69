// EXPECT: false unreach-call LP64
// INPUTS: 7
// As two_conflicts_true.c, but the numbers are no copies.
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned a = __VERIFIER_nondet_uchar(), b = a + 1, i = 0;
    while (i < 1000) {
        i++;
    }
    if (i != 1000 || a != b) {
        reach_error();
    }
}
