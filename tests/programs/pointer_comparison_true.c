// EXPECT: true unreach-call LP64
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int a, b[4];
    int *null = 0;
    check(&a != null && &a != &b[0]);
    check(&b[1] < &b[3] && &b[0] <= b);
    check((unsigned long)(&b[3]) - (unsigned long)(&b[1]) == 2 * sizeof(int));
    return 0;
}
