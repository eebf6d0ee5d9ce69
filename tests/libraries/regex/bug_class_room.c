// EXPECT: false unreach-call LP64
// NATIVE: no-sanitizers (the access stays in its structure)
// INPUTS: 8
/* A class may have one range more than there is room for. */
#define BUG_CLASS_ROOM
#include "regex.c"

#include "../check.h"

int main(void) {
    char pattern[13] = "[abcdefghijk";
    struct regex regex;
    unsigned length = 1 + any_below(10);
    pattern[length + 1] = ']';
    pattern[length + 2] = '\0';
    check(regex_compile(&regex, pattern) == (length <= REGEX_MAX_CLASS));
    return 0;
}
