// EXPECT: true unreach-call ILP32
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

struct sum {
    int total;
};

static void each(const int *a, int n, void (*visit)(int, void *), void *context) {
    for (int i = 0; i < n; i++)
        visit(a[i], context);
}

static void add(int x, void *context) { ((struct sum *)context)->total += x; }

int main(void) {
    int a[4] = {1, 2, 3, 4};
    struct sum s = {0};
    each(a, 4, add, &s);
    check(s.total == 10);
    return 0;
}
