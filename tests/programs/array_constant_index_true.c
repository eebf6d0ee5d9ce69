// EXPECT: true unreach-call LP64
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int a[5] = {1, 2, 3};
    a[4] = a[0] + a[3];
    check(a[4] == 1 && a[2] == 3);
    return 0;
}
