// EXPECT: true unreach-call LP64 WITH options.c
/* A level has one digit. */
#include "../check.h"
#include "options.h"

int main(void) {
    char level[] = "--level=??";
    char *argv[] = {"archive", level, "help", 0};
    struct options options;
    level[8] = __VERIFIER_nondet_char();
    level[9] = __VERIFIER_nondet_char();
    enum option_error error = options_parse(&options, 3, argv);
    check(options.level >= 0 && options.level <= 9);
    if (error == OPTION_OK)
        check(options.command == COMMAND_HELP && level[9] == '\0' && options.level == level[8] - '0');
    else
        check(error == OPTION_BAD_NUMBER && options.wrong == level);
    return 0;
}
