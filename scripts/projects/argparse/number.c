// EXPECT: true
// FILES: argparse.c
// OPTIONS: -I.
/* Any number of two digits that does not begin with zero is read; anything else with digits at its ends ends the program. */
#include <stddef.h>
#include "argparse.h"
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
    int n = -1;
    char text[] = "--num=..";
    const char *arguments[] = {"program", text, NULL};
    struct argparse_option options[] = {OPT_INTEGER('n', "num", &n), OPT_END()};
    struct argparse parser;
    text[6] = __VERIFIER_nondet_char();
    text[7] = __VERIFIER_nondet_char();
    if (text[6] < '1' || text[6] > '9' || !text[7])
        return 0;
    argparse_init(&parser, options, NULL, 0);
    argparse_parse(&parser, 2, arguments);
    if (text[7] < '0' || text[7] > '9' || n != 10 * (text[6] - '0') + (text[7] - '0'))
        reach_error();
    return 0;
}
