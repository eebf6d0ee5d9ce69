// EXPECT: true unreach-call LP64
// ASSUMES: a pointer that is read from memory was stored there as a pointer, not as a number or as bytes
// ASSUMES: each memory access is valid: within the bounds of a live object from whose address its pointer was computed
// An address or a number: the analysis knows one of them only.
extern void reach_error(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern int __VERIFIER_nondet_int(void);
extern void *memcpy(void *, const void *, unsigned long);
static int a = 1, b = 1;
int main(void) {
    unsigned long n = __VERIFIER_nondet_ulong();
    unsigned long v = __VERIFIER_nondet_int() ? (unsigned long)&a : n;
    int *p;
    memcpy(&p, &v, sizeof p);
    *p = 2;
    if (b != 1)
        reach_error();
    return 0;
}
