// EXPECT: false unreach-call LP64
// INPUTS: 65
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int tolower(int c);

int main(void) {
    int c = __VERIFIER_nondet_uchar();
    check(tolower(c) == c);
    return 0;
}
