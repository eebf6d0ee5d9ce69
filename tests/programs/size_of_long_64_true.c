// EXPECT: true unreach-call LP64
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    long x = 2147483647L;
    check(sizeof(long) == 8 && sizeof(void *) == 8 && sizeof(long long) == 8);
    check(x + 1 == 2147483648L);
    return 0;
}
