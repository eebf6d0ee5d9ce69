// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int isdigit(int c);
int isalpha(int c);
int toupper(int c);

int main(void) {
    int c = __VERIFIER_nondet_uchar();
    check(!(isdigit(c) && isalpha(c)));
    if (c >= 'a' && c <= 'z')
        check(toupper(c) == c - 32);
    check(isdigit('7') && !isdigit('x'));
    return 0;
}
