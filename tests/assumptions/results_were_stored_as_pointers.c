// EXPECT: true unreach-call LP64
// ASSUMES: a pointer that is read from memory was stored there as a pointer, not as a number or as bytes
// ASSUMES: each memory access is valid: within the bounds of a live object from whose address its pointer was computed
// The same through calls.
extern void reach_error(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern int __VERIFIER_nondet_int(void);
static int a = 1, b = 1;
union u { unsigned long n; int *p; };
static unsigned long first(unsigned long x, unsigned long y) { return x; }
static unsigned long second(unsigned long x, unsigned long y) { return y; }
int main(void) {
    union u u;
    unsigned long (*pick)(unsigned long, unsigned long) = __VERIFIER_nondet_int() ? first : second;
    u.n = pick((unsigned long)&a, __VERIFIER_nondet_ulong());
    *u.p = 2;
    if (b != 1)
        reach_error();
    return 0;
}
