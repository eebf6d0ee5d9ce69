// EXPECT: false
// FILES: argparse.c
// OPTIONS: -I.
/* A number of three digits may be octal. */
#include <stddef.h>
#include "argparse.h"
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    int n = -1, expected = 0;
    char text[] = "...";
    const char *arguments[] = {"program", "--num", text, NULL};
    struct argparse_option options[] = {OPT_INTEGER('n', "num", &n), OPT_END()};
    struct argparse parser;
    for (int i = 0; i < 3; i++) {
        text[i] = '0' + __VERIFIER_nondet_uchar() % 10;
        expected = 10 * expected + text[i] - '0';
    }
    argparse_init(&parser, options, NULL, 0);
    argparse_parse(&parser, 3, arguments);
    if (n != expected)
        reach_error();
    return 0;
}
