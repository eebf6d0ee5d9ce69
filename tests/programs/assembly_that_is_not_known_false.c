// EXPECT: false unreach-call LP64 UNKNOWN-OK
// No alarm rests on what assembly might compute; here it computes it.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint(), sum;
    __asm__("leal (%1,%1,4), %0" : "=r"(sum) : "r"(x));
    if (sum != 4 * x)
        reach_error();
    return 0;
}
