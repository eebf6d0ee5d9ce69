// EXPECT: true unreach-call LP64
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

static volatile int v;

int main(void) {
    v = 3;
    int a = v;
    v += 1;
    check(a == 3 && v == 4);
    return 0;
}
