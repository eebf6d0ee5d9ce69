// EXPECT: true unreach-call ILP32
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    long x = 2147483647L;
    unsigned long y = (unsigned long)x + 1;
    check(sizeof(long) == 4 && sizeof(void *) == 4 && sizeof(long long) == 8);
    check((long)y < 0);
    return 0;
}
