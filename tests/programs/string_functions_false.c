// EXPECT: false unreach-call LP64
// INPUTS: 111 107 0
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int strcmp(const char *a, const char *b);

int main(void) {
    char b[3];
    for (int i = 0; i < 3; i++)
        b[i] = __VERIFIER_nondet_char();
    if (b[2] == 0 && strcmp(b, "ok") == 0)
        reach_error();
    return 0;
}
