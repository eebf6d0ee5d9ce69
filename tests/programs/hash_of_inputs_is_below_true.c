// EXPECT: true unreach-call LP64
// A hash of inputs, reduced to a range, lies in it: no run shows a violation, and intervals prove it.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void) {
    unsigned h = 0x811c9dc5u;
    while (__VERIFIER_nondet_uchar())
        h = (h ^ __VERIFIER_nondet_uchar()) * 0x1000193u;
    if (h % 1000 > 999)
        reach_error();
    return 0;
}
