// EXPECT: true unreach-call ILP32
extern void reach_error(void);
int main(void) {
    volatile long long x = (long long)(1ull << 63), y = -1;
    if (x / y != x || x % y != 0)
        reach_error();
    volatile int a = (int)(1u << 31), b = -1;
    a = a / b;
    reach_error();
    return 0;
}
