// EXPECT: true unreach-call LP64
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    double zero = 0.0, minus = -zero;
    check(zero == minus && 1 / zero != 1 / minus);
    check(zero + minus == 0 && 1 / (zero + minus) > 0);
    return 0;
}
