// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    volatile __int128 x = (__int128)1 << 127, y = -1;
    if (x / y != x || x % y != 0)
        reach_error();
    /* A division of 64 bits traps. */
    volatile long long a = (long long)(1ull << 63), b = __VERIFIER_nondet_int();
    if (b == -1) {
        a = a / b;
        reach_error();
    }
    return 0;
}
