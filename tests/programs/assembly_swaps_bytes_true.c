// EXPECT: true unreach-call LP64
// Instructions that compute one number from another one.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static unsigned swapped(unsigned x) {
    __asm__("bswap %0" : "+r"(x));
    return x;
}
static unsigned short swapped_short(unsigned short x) {
    __asm__("rorw $8, %w0" : "+r"(x) : : "cc");
    return x;
}
static unsigned turned(unsigned x) {
    __asm__("roll $5, %0" : "+r"(x) : : "cc");
    return x;
}
static unsigned opposite(unsigned x) {
    __asm__("notl %0" : "+r"(x));
    return x;
}

int main(void) {
    unsigned x = __VERIFIER_nondet_uint(), copy;
    unsigned bytes = (x & 0xff) << 24 | (x >> 8 & 0xff) << 16 | (x >> 16 & 0xff) << 8 | x >> 24;
    if (swapped(x) != bytes || swapped(bytes) != x)
        reach_error();
    if (swapped_short((unsigned short)x) != ((x & 0xff) << 8 | (x >> 8 & 0xff)))
        reach_error();
    if (turned(x) != (x << 5 | x >> 27) || opposite(x) != ~x)
        reach_error();
    __asm__("movl %1, %0" : "=r"(copy) : "r"(x));
    if (copy != x)
        reach_error();
    return 0;
}
