// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int n = 0;
    do {
        n++;
    } while (n < 0);
    check(n == 1);
    unsigned x = __VERIFIER_nondet_uchar();
    unsigned bits = 0;
    do {
        bits++;
        x /= 2;
    } while (x != 0);
    check(bits >= 1 && bits <= 8);
    return 0;
}
