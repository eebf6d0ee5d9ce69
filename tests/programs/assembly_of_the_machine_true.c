// EXPECT: true unreach-call LP64
// What a text without a model puts into registers may be anything, but it changes nothing else.
extern void reach_error(void);

int main(void) {
    unsigned low, high, a, b, c = 0, d;
    int kept = 5;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high) : : "memory");
    __asm__ volatile("cpuid" : "=a"(a), "=b"(b), "+c"(c), "=d"(d) : "0"(0));
    unsigned long time = (unsigned long)high << 32 | low;
    if (kept != 5 || time >> 32 != high || a / 2 > 0x7fffffff)
        reach_error();
    return 0;
}
