// EXPECT: true unreach-call LP64 UNKNOWN-OK
// The program ends where it writes to a constant.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    char *text = "abc";
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 2)
        return 0;
    text[i] = 'x';
    if (text[0] == 'x' || text[1] == 'x')
        reach_error();
    return 0;
}
