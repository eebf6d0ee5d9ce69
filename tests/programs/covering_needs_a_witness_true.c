// EXPECT: true unreach-call LP64
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void) {
    // Each round leaves a value of the same form behind, of another input.
    int x = 1;
    while (__VERIFIER_nondet_int())
        x = __VERIFIER_nondet_uchar() * 2 + 1;
    if (x == 256)
        reach_error();
    return 0;
}
