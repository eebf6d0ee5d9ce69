// EXPECT: true unreach-call ILP32
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

union word {
    unsigned value;
    unsigned char bytes[4];
};

int main(void) {
    union word w;
    w.value = __VERIFIER_nondet_uint();
    unsigned sum = 0;
    for (int i = 3; i >= 0; i--)
        sum = sum << 8 | w.bytes[i];
    check(sum == w.value);
    w.bytes[3] = 0;
    check(w.value < 1u << 24);
    return 0;
}
