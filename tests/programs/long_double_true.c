// EXPECT: true unreach-call ILP32
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    long double x = 9007199254740993.0L;
    check(x != 9007199254740992.0L);
    check((double)x == 9007199254740992.0);
    check((long long)x == 9007199254740993LL);
    check(x * 2 == 18014398509481986.0L);
    return 0;
}
