// EXPECT: true unreach-call LP64
#include <err.h>
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int parse(const char *text) {
    if (*text == 0)
        errx(2, "no number");
    return *text - '0';
}
static void look(void) {
    // What is registered for the end runs, but never twice.
    static int runs;
    if (++runs > 1)
        reach_error();
}
int main(void) {
    char text[2] = {(char)__VERIFIER_nondet_int(), 0};
    atexit(look);
    if (text[0] < '0')
        warnx("%s is strange", text);
    int n = parse(text);
    if (text[0] == 0)
        reach_error();
    return n;
}
