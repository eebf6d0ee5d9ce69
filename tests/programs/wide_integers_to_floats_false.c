// EXPECT: false unreach-call LP64
// INPUTS: 150
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

/* Integers of more than 128 bits: 2^150 is a double. */
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 140 || n > 160)
        return 0;
    unsigned _BitInt(200) wide = (unsigned _BitInt(200))1 << n;
    if ((double)wide == 0x1p150)
        reach_error();
    return 0;
}
