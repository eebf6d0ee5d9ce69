// EXPECT: true unreach-call LP64 WITH regex.c
/* Any pattern: the compiler stays in its arrays, and a match in the text. */
#include "../check.h"
#include "regex.h"

#ifndef LENGTH
#define LENGTH 3
#endif

int main(void) {
    struct regex regex;
    char pattern[LENGTH + 1];
    const char *text = "ab", *start, *end;
    any_text(pattern, LENGTH);
    if (regex_compile(&regex, pattern) && regex_find(&regex, text, &start, &end))
        check(start >= text && start <= end && end <= text + 2);
    return 0;
}
