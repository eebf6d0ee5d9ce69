// EXPECT: true unreach-call LP64
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int sum = 0;
    for (int i = 1; i <= 100; i++)
        sum += i;
    check(sum == 5050);
    return 0;
}
