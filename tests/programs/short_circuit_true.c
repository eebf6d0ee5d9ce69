// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

static int calls;

static int called(int result) {
    calls++;
    return result;
}

int main(void) {
    int x = __VERIFIER_nondet_bool();
    if (x && called(0))
        reach_error();
    check(calls == x);
    calls = 0;
    int y = x || called(1);
    check(y == 1 && calls == !x);
    return 0;
}
