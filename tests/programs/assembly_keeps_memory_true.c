// EXPECT: true unreach-call LP64
// What is output and input is only hidden from the optimiser.
extern void reach_error(void);

int main(void) {
    int x = 1, y = 2;
    __asm__ volatile("" : "+m"(x) : "m"(y) : "memory");
    if (x != 1 || y != 2)
        reach_error();
    return 0;
}
