// EXPECT: false unreach-call LP64
// NATIVE: no (what the clock shows is not ours to choose)
// A clock shows what it likes.
extern void reach_error(void);

int main(void) {
    unsigned low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    if (low % 7 == 3)
        reach_error();
    return 0;
}
