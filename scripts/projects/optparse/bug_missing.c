// EXPECT: false
// FILES:
// OPTIONS: -I.
/* The argument of an option may be missing, though there is another argument. */
#define OPTPARSE_IMPLEMENTATION
#include "optparse.h"
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
    char first[3] = "-", second[3] = "-";
    char *arguments[] = {"program", first, second, 0};
    struct optparse options;
    first[1] = __VERIFIER_nondet_char();
    second[1] = __VERIFIER_nondet_char();
    optparse_init(&options, arguments);
    while (optparse(&options, "ab:") != -1)
        if (options.optopt == 'b' && !options.optarg)
            reach_error();
    return 0;
}
