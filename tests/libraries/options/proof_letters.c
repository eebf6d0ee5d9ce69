// EXPECT: true unreach-call LP64 WITH options.c
/* Three letters: known ones, or what follows -o or -l is its argument. */
#include "../check.h"
#include "options.h"

int main(void) {
    char letters[5] = "-";
    char *argv[] = {"archive", letters, "help", 0};
    struct options options;
    any_text(letters + 1, 3);
    enum option_error error = options_parse(&options, 3, argv);
    check(options.verbose <= 3);
    if (error == OPTION_OK && options.output && letters[1] == 'o' && letters[2] != '\0')
        check(options.output == letters + 2 && options.verbose == 0);
    if (options.verbose == 3)
        check(letters[1] == 'v' && letters[2] == 'v' && letters[3] == 'v');
    return 0;
}
