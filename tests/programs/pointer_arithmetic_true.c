// EXPECT: true unreach-call LP64
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int a[10];
    int *p = a, *end = a + 10;
    for (; p < end; p++)
        *p = (int)(p - a);
    check(end - a == 10 && p == end);
    check(*(end - 1) == 9 && a[3] == 3);
    check((char *)&a[2] - (char *)a == 2 * sizeof(int));
    return 0;
}
