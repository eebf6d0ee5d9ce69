// EXPECT: true unreach-call LP64
extern void reach_error(void);
int main(void) {
    volatile int n = 3;
    if (n != 3)
        reach_error();
    return 0;
}
