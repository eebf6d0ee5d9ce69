// EXPECT: false unreach-call ILP32
// INPUTS: 0
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
    check(both(p, &y) == 1);
    return 0;
}
