// EXPECT: true unreach-call LP64
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

static int next(void) {
    static int n = 5;
    return n++;
}

int main(void) {
    next();
    next();
    check(next() == 7);
    return 0;
}
