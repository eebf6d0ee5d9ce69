// EXPECT: true unreach-call LP64 WITH options.c
/* Any number of files: there is room for some, and more are an error. */
#include "../check.h"
#include "options.h"

int main(void) {
    char *argv[9] = {"archive", "list", "a", "b", "c", "d", "e", "f", 0};
    struct options options;
    int argc = 2 + any_below(7);
    enum option_error error = options_parse(&options, argc, argv);
    check(options.file_count <= OPTIONS_MAX_FILES);
    check(error == (argc == 2 ? OPTION_MISSING : argc > 6 ? OPTION_TOO_MANY : OPTION_OK));
    check(options.command == COMMAND_LIST && options.level == 6);
    return 0;
}
