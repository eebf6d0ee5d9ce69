// EXPECT: true unreach-call LP64 UNKNOWN-OK
// A division by zero traps, also in assembly: nothing behind it is reached.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned b = __VERIFIER_nondet_uint(), q, r;
    __asm__("divl %4" : "=a"(q), "=d"(r) : "0"(7u), "1"(0u), "r"(b) : "cc");
    if (b == 0)
        reach_error();
    return 0;
}
