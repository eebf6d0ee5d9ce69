// EXPECT: true unreach-call LP64 WITH regex.c
/* A repetition gives back what the rest of the pattern needs. */
#include "../check.h"
#include "regex.h"

int main(void) {
    struct regex regex;
    char text[5] = "aaaa";
    const char *start, *end;
    unsigned length = any_below(5);
    text[length] = '\0';
    check(regex_compile(&regex, "a*a"));
    check(regex_find(&regex, text, &start, &end) == (length > 0));
    if (length > 0)
        check(start == text && end == text + length);
    return 0;
}
