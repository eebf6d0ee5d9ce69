// EXPECT: true unreach-call ILP32
extern void reach_error(void);
extern long long __VERIFIER_nondet_longlong(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    long long x = __VERIFIER_nondet_longlong();
    switch (x) {
    case 0x100000000LL:
        check((int)x == 0);
        break;
    case -1:
        check(x < 0);
        break;
    default:
        check(x != -1);
    }
    return 0;
}
