// EXPECT: true unreach-call LP64
// ASSUMES: inline assembly changes nothing but the registers that its constraints name
extern void reach_error(void);
int main(void) {
    unsigned low, high;
    int kept = 1;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    if (low > high && kept != 1)
        reach_error();
    return 0;
}
