// EXPECT: true unreach-call LP64
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int rand(void);

int main(void) {
    int n = rand() % 6 + 1;
    check(n >= 1 && n <= 6);
    return 0;
}
