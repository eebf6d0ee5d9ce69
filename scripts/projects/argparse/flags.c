// EXPECT: true
// FILES: argparse.c
// OPTIONS: -I.
/* Any two short options in one argument are counted; what is not an option ends the program. */
#include <stddef.h>
#include "argparse.h"
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
    int all = 0, loud = 0;
    char text[4] = "-";
    const char *arguments[] = {"program", text, "file", NULL};
    struct argparse_option options[] = {OPT_BOOLEAN('a', "all", &all), OPT_BIT('l', "loud", &loud, NULL, NULL, 4), OPT_END()};
    struct argparse parser;
    text[1] = __VERIFIER_nondet_char();
    text[2] = __VERIFIER_nondet_char();
    argparse_init(&parser, options, NULL, 0);
    int n = argparse_parse(&parser, 3, arguments);
    if (all != (text[1] == 'a') + (text[2] == 'a') && text[1] && text[1] != '-')
        reach_error();
    if (loud != 0 && loud != 4)
        reach_error();
    if (text[1] == 'a' && (n != 1 || arguments[0][0] != 'f'))
        reach_error();
    return 0;
}
