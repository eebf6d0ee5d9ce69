// EXPECT: true
// FILES:
// OPTIONS: -I.
/* Any two characters after a dash, and any argument behind it: only known options are returned, and the index stays within the arguments. */
#define OPTPARSE_IMPLEMENTATION
#include "optparse.h"
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
    char first[4] = "-", second[3] = "";
    char *arguments[] = {"program", first, second, 0};
    struct optparse options;
    first[1] = __VERIFIER_nondet_char();
    first[2] = __VERIFIER_nondet_char();
    second[0] = __VERIFIER_nondet_char();
    second[1] = __VERIFIER_nondet_char();
    optparse_init(&options, arguments);
    int option, n = 0;
    while ((option = optparse(&options, "ab:c::")) != -1) {
        if (option != 'a' && option != 'b' && option != 'c' && option != '?')
            reach_error();
        if (option == 'b' && !options.optarg)
            reach_error();
        if (options.optind > 3 || ++n > 4)
            reach_error();
    }
    return 0;
}
