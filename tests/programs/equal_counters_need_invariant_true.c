// EXPECT: true unreach-call LP64 UNKNOWN-OK
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int i = 0, j = 0;
    while (i < n) {
        i++;
        j++;
    }
    check(i == j);
    return 0;
}
