// EXPECT: false unreach-call ILP32
// INPUTS:
// A processor of 32 bits does not divide numbers of 64 bits.
extern void reach_error(void);
int main(void) {
    volatile long long x = (long long)(1ull << 63), y = -1;
    if (x / y == x && x % y == 0)
        reach_error();
    return 0;
}
