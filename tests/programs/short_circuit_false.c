// EXPECT: false unreach-call LP64
// INPUTS: 0
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

static int g;

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x != 0 || (g = 5, x == 0))
        check(g == 0);
    return 0;
}
