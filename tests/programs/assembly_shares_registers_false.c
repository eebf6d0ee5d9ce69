// EXPECT: false unreach-call LP64 UNKNOWN-OK
// NATIVE: no (the compiler chooses the registers)
// The sum may lie in the register of b, which is read after it is written: only an early output would have one of its own.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), sum;
    __asm__("movl %1, %0\n\taddl %2, %0" : "=r"(sum) : "r"(a), "r"(b));
    if (sum != (int)((unsigned)a + (unsigned)b))
        reach_error();
    return 0;
}
