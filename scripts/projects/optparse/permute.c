// EXPECT: true
// FILES:
// OPTIONS: -I.
/* Whichever of three arguments are options, these are found, and the others are what is left, in their order. */
#define OPTPARSE_IMPLEMENTATION
#include "optparse.h"
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    char *arguments[5] = {"program"}, *files[3] = {"x", "y", "z"}, *expected[3];
    int flags = 0, others = 0, found = 0;
    for (int i = 0; i < 3; i++) {
        if (__VERIFIER_nondet_bool()) {
            arguments[i + 1] = "-f";
            flags++;
        } else {
            arguments[i + 1] = expected[others++] = files[i];
        }
    }
    arguments[4] = 0;
    struct optparse options;
    optparse_init(&options, arguments);
    while (optparse(&options, "f") == 'f')
        found++;
    if (found != flags)
        reach_error();
    for (int i = 0; i < others; i++)
        if (optparse_arg(&options) != expected[i])
            reach_error();
    if (optparse_arg(&options))
        reach_error();
    return 0;
}
