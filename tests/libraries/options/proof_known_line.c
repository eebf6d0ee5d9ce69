// EXPECT: true unreach-call LP64 WITH options.c
/* A command line that is known. */
#include "../check.h"
#include "options.h"
#include <string.h>

int main(void) {
    char *argv[] = {"archive", "-v", "create", "-vofile", "--level", "9", "a", "--", "-b", 0};
    struct options options;
    check(options_parse(&options, 9, argv) == OPTION_OK);
    check(options.command == COMMAND_CREATE && options.verbose == 2 && options.level == 9);
    check(strcmp(options.output, "file") == 0);
    check(options.file_count == 2 && strcmp(options.files[1], "-b") == 0);
    return 0;
}
