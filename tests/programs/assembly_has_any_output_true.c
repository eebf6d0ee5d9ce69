// EXPECT: true unreach-call LP64
// What assembly computes need not be known: it changes nothing but its outputs.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static unsigned held;

int main(void) {
    unsigned x = __VERIFIER_nondet_uint(), low, high, sum;
    held = 1;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    __asm__("leal (%1,%2,4), %0" : "=r"(sum) : "r"(x), "r"(low));
    __asm__ volatile("cld" : : : "cc");
    if (held != 1)
        reach_error();
    held = sum & 1;
    if (held > 1)
        reach_error();
    return (int)high;
}
