// EXPECT: true unreach-call LP64
// ASSUMES: inline assembly changes nothing but what it declares to change
extern void reach_error(void);
int main(void) {
    int x = 0;
    __asm__ volatile("movl $1, (%0)" : : "r"(&x));
    if (x)
        reach_error();
    return 0;
}
