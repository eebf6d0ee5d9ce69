// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern short __VERIFIER_nondet_short(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int i = __VERIFIER_nondet_int();
    double d = i;
    check((int)d == i);
    check((int)-2.75 == -2 && (unsigned char)200.9 == 200);
    check((float)16777217 == 16777216.0f);
    short s = __VERIFIER_nondet_short();
    check((short)(float)s == s);
    return 0;
}
