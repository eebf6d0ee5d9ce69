// EXPECT: false unreach-call LP64
// A rotation is no shift: the bits that leave on one side come back on the other one.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint(), n = __VERIFIER_nondet_uint(), y = x;
    __asm__("roll %b1, %0" : "+r"(y) : "c"(n) : "cc");
    if (n == 9 && y == 5)
        reach_error();
    return 0;
}
