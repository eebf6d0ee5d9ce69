// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

__SIZE_TYPE__ strlen(const char *s);

int main(void) {
    char b[6];
    for (int i = 0; i < 5; i++)
        b[i] = __VERIFIER_nondet_char();
    b[5] = 0;
    unsigned long n = strlen(b);
    check(n <= 5 && b[n] == 0);
    check(n == 0 || b[n - 1] != 0);
    return 0;
}
