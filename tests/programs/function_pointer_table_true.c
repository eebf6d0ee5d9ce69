// EXPECT: true unreach-call ILP32
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int first(int a, int b) { return (void)b, a; }

static int (*const table[])(int, int) = {add, sub, first};

int main(void) {
    unsigned i = __VERIFIER_nondet_uint() % 3;
    int r = table[i](10, 4);
    check(r == 14 || r == 6 || r == 10);
    check(i != 1 || r == 6);
    return 0;
}
