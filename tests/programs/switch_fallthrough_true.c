// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

static int steps(int n) {
    int r = 0;
    switch (n) {
    case 3:
        r++;
    case 2:
        r++;
    case 1:
        r++;
        break;
    case -1:
        return -1;
    default:
        r = 100;
    }
    return r;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int r = steps(n);
    if (n >= 1 && n <= 3)
        check(r == n);
    else
        check(r == (n == -1 ? -1 : 100));
    return 0;
}
