// EXPECT: false unreach-call LP64 UNKNOWN-OK
// NATIVE: no (the time is not ours to choose)
extern void reach_error(void);

int main(void) {
    unsigned low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    if (low % 3 == 1)
        reach_error();
    return 0;
}
