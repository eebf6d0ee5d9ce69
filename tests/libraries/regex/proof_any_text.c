// EXPECT: true unreach-call LP64 WITH regex.c
/* A known pattern in any text: what is found is right, and lies in the text. */
#include "../check.h"
#include "regex.h"

#ifndef LENGTH
#define LENGTH 3
#endif

int main(void) {
    struct regex regex;
    char text[LENGTH + 1];
    const char *start, *end;
    any_text(text, LENGTH);
    check(regex_compile(&regex, "[0-9]+x"));
    if (regex_find(&regex, text, &start, &end)) {
        check(start >= text && end <= text + LENGTH && end - start >= 2);
        check(*start >= '0' && *start <= '9' && end[-1] == 'x');
    }
    return 0;
}
