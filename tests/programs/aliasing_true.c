// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

static int both(int *a, int *b) {
    *a = 1;
    *b = 2;
    return *a;
}

int main(void) {
    int x, y;
    int *p = __VERIFIER_nondet_bool() ? &x : &y;
    int r = both(p, &y);
    check(r == (p == &y ? 2 : 1));
    check(y == 2);
    return 0;
}
