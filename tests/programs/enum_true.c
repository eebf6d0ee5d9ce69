// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

enum colour { RED, GREEN = 5, BLUE };

int main(void) {
    enum colour c = __VERIFIER_nondet_bool() ? BLUE : RED;
    check(GREEN + 1 == BLUE && c != GREEN);
    switch (c) {
    case RED:
        return 0;
    case BLUE:
        check(c == 6);
        return 0;
    default:
        reach_error();
    }
}
