// EXPECT: true unreach-call LP64
/* A reader of nested lists with blanks between: it stays in the text, whichever way it came to a position. */
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

#ifndef LENGTH
#define LENGTH 4
#endif

static const char *at;

static void blanks(void) {
    while (*at == ' ' || *at == '\n')
        at++;
}

static int list(int depth) {
    if (depth == 3 || *at != '(')
        return 0;
    at++;
    blanks();
    while (*at == '(') {
        if (!list(depth + 1))
            return 0;
        blanks();
    }
    if (*at != ')')
        return 0;
    at++;
    return 1;
}

int main(void) {
    char text[LENGTH + 1];
    for (int i = 0; i < LENGTH; i++)
        text[i] = __VERIFIER_nondet_char();
    text[LENGTH] = 0;
    at = text;
    blanks();
    int ok = list(0);
    if (at > text + LENGTH)
        reach_error();
    if (ok && at < text + 2)
        reach_error();
    return 0;
}
