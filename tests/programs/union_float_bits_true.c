// EXPECT: true unreach-call ILP32
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

union number {
    float f;
    unsigned bits;
};

int main(void) {
    union number n;
    n.f = 1.0f;
    check(n.bits == 0x3f800000u);
    n.bits |= 0x80000000u;
    check(n.f == -1.0f);
    return 0;
}
