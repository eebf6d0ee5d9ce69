// EXPECT: false unreach-call LP64
// The sum of an address is computed in the width of its registers, and extended then.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned long a = __VERIFIER_nondet_uint() + 0x100000000UL, sum;
    __asm__("leaq 1(%k1), %0" : "=r"(sum) : "r"(a));
    if (sum <= 0xffffffffUL)
        reach_error();
    return 0;
}
