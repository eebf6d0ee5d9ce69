// EXPECT: true unreach-call LP64 WITH options.c
/* Command lines of any of these words: what is accepted has a command and files; what is not, an argument that is wrong. */
#include "../check.h"
#include "options.h"

#ifndef WORDS
#define WORDS 2
#endif

int main(void) {
    static char *words[] = {"list", "-v", "-o", "--level=3", "--output", "--", "a", "-"};
    char *argv[WORDS + 2] = {"archive"};
    struct options options;
    for (int i = 1; i <= WORDS; i++)
        argv[i] = words[any_below(8)];
    enum option_error error = options_parse(&options, WORDS + 1, argv);
    if (error == OPTION_OK) {
        check(options.command == COMMAND_LIST && options.file_count >= 1 && options.file_count < WORDS);
        check(!options.wrong);
    } else {
        check((options.wrong != 0) == (error != OPTION_MISSING));
    }
    check(options.level == 6 || options.level == 3);
    return 0;
}
