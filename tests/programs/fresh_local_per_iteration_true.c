// EXPECT: true unreach-call LP64
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    for (int i = 0; i < 3; i++) {
        int x = i;
        int *p = &x;
        *p += 1;
        check(x == i + 1);
    }
    return 0;
}
