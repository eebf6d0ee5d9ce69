// EXPECT: false
// FILES: argparse.c
// OPTIONS: -I.
/* Some text of three characters is the number 0.5. */
#include <stddef.h>
#include "argparse.h"
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
    float f = 0;
    char text[] = "...";
    const char *arguments[] = {"program", "-f", text, NULL};
    struct argparse_option options[] = {OPT_FLOAT('f', "float", &f), OPT_END()};
    struct argparse parser;
    for (int i = 0; i < 3; i++)
        text[i] = __VERIFIER_nondet_char();
    argparse_init(&parser, options, NULL, 0);
    argparse_parse(&parser, 3, arguments);
    if (f == 0.5f)
        reach_error();
    return 0;
}
