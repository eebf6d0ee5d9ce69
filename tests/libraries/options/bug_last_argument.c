// EXPECT: false unreach-call LP64
// INPUTS: 0 4
/* The argument of the last option is taken from behind the arguments. */
#define BUG_LAST_ARGUMENT
#include "options.c"

#include "../check.h"

int main(void) {
    static char *words[] = {"help", "-v", "-o", "--level=3", "--output", "--"};
    char *argv[] = {"archive", words[any_below(6)], words[any_below(6)], 0};
    struct options options;
    if (options_parse(&options, 3, argv) == OPTION_OK)
        check(options.output != 0 || argv[2] != words[4] || argv[1] == words[5]);
    return 0;
}
