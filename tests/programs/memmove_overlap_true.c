// EXPECT: true unreach-call LP64
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

void *memmove(void *to, const void *from, __SIZE_TYPE__ n);

int main(void) {
    int a[5] = {1, 2, 3, 4, 5};
    memmove(a + 1, a, 4 * sizeof(int));
    check(a[0] == 1 && a[1] == 1 && a[4] == 4);
    memmove(a, a + 2, 3 * sizeof(int));
    check(a[0] == 2 && a[2] == 4 && a[3] == 3);
    return 0;
}
