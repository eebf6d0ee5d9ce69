// EXPECT: true unreach-call LP64
// NATIVE: no-sanitizers
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int x;
    int y = x & 1;
    check(y == 0 || y == 1);
    x = 3;
    check(x == 3);
    return 0;
}
