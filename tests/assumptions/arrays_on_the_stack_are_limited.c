// EXPECT: true unreach-call LP64
// ASSUMES: no block whose size is not constant has more than 2^47 bytes
extern void reach_error(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
int main(void) {
    unsigned long n = __VERIFIER_nondet_ulong();
    char block[n];
    if (sizeof block == (unsigned long)-1)
        reach_error();
    return 0;
}
