// EXPECT: true unreach-call LP64
// Instructions of x86 as programs use them: rotations by any amount, tests of bits, products and sums of two words, conditions.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
typedef unsigned u32;
typedef unsigned long u64;

static u32 turned(u32 x, unsigned char n) {
    __asm__("roll %%cl, %0" : "=r"(x) : "0"(x), "c"(n) : "cc");
    return x;
}
static u32 turned_right(u32 x, int n) {
    __asm__("rorl %b1, %0" : "+r"(x) : "c"(n));
    return x;
}
static int has_bit(u32 x, u32 n) {
    unsigned char carry;
    __asm__("btl %2, %1\n\tsetc %0" : "=qm"(carry) : "r"(x), "r"(n) : "cc");
    return carry;
}
static int has_bit_as_flag(u32 x, u32 n) {
    int carry;
    __asm__("bt %2, %1" : "=@ccc"(carry) : "r"(x), "Ir"(n));
    return carry;
}
static int has_bit_as_mask(u32 x, u32 n) {
    int mask;
    __asm__("btl %2, %1\n\tsbbl %0, %0" : "=r"(mask) : "r"(x), "Ir"(n));
    return mask;
}
static int highest(u32 x) {
    int n;
    __asm__("bsrl %1, %0" : "=r"(n) : "rm"(x));
    return n;
}
static int lowest(u32 x) {
    int n;
    __asm__("bsfl %1, %0\n\tcmovzl %2, %0" : "=&r"(n) : "rm"(x), "r"(-1));
    return n;
}
static int overflows(int a, int b, int *sum) {
    unsigned char o;
    __asm__("addl %2, %1; seto %0" : "=q"(o), "+r"(a) : "ir"(b) : "cc");
    *sum = a;
    return o;
}
static u32 scaled(u32 a, u32 b) {
    u32 sum;
    __asm__("leal 3(%1,%2,4), %0" : "=r"(sum) : "r"(a), "r"(b));
    return sum;
}
static int is_below(u32 a, u32 b) {
    int r;
    __asm__("xorl %0, %0\n\tcmpl %2, %1\n\tsetb %b0" : "=&q"(r) : "r"(a), "r"(b) : "cc");
    return r;
}
static u64 turned_long(u64 x) {
    __asm__("rolq %1, %0" : "+g"(x) : "J"(7) : "cc");
    return x;
}
static u32 exchanged(u32 *p, u32 v) {
    __asm__ volatile("xchgl %0, %1" : "=r"(v), "+m"(*p) : "0"(v) : "memory");
    return v;
}
static int set_bit(u64 *words, long n) {
    unsigned char old;
    __asm__ volatile("lock; btsq %2, %1\n\tsetc %0" : "=qm"(old), "+m"(*words) : "Ir"(n) : "memory");
    return old;
}
static void more(int *p) {
    __asm__ volatile("lock; incl %0" : "+m"(*p));
}

int main(void) {
    u32 x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
    unsigned char n = __VERIFIER_nondet_uchar();
    u32 k = n & 31;
    if (turned(x, n) != (k ? x << k | x >> (32 - k) : x) || turned_right(x, n) != (k ? x >> k | x << (32 - k) : x))
        reach_error();
    int bit = x >> (y & 31) & 1;
    if (has_bit(x, y) != bit || has_bit_as_flag(x, y) != bit || has_bit_as_mask(x, y) != -bit)
        reach_error();
    if (x && (highest(x) > 31 || x >> highest(x) != 1 || !(x >> lowest(x) & 1) || (x & ((1u << lowest(x)) - 1))))
        reach_error();
    if (lowest(0) != -1)
        reach_error();
    u64 low, high;
    __asm__("mulq %3" : "=a"(low), "=d"(high) : "%0"((u64)x << 32), "rm"((u64)y << 32));
    if (low != 0 || high != (u64)x * y)
        reach_error();
    u64 a = (u64)x << 32, b = 0, c = (u64)y << 32;
    __asm__("addq %2, %0\n\tadcq $0, %1" : "+r"(a), "+r"(b) : "r"(c) : "cc");
    if (a != (u64)(x + y) << 32 || b != ((u64)x + y) >> 32)
        reach_error();
    int sum, wide = __builtin_sadd_overflow((int)x, (int)y, &sum), told;
    if (overflows((int)x, (int)y, &told) != wide || told != sum)
        reach_error();
    if (scaled(x, y) != x + 4 * y + 3 || is_below(x, y) != (x < y))
        reach_error();
    if (turned_long(a) != (a << 7 | a >> 57))
        reach_error();
    u32 place = x;
    if (exchanged(&place, y) != x || place != y)
        reach_error();
    u64 words[2] = {0, 0};
    if (set_bit(words, 70) || !set_bit(words, 70) || set_bit(words, y & 63) || words[0] != 1ul << (y & 63) || words[1] != 64)
        reach_error();
    int count = (int)(x & 0xffff);
    more(&count);
    if (count != (int)(x & 0xffff) + 1)
        reach_error();
    return 0;
}
