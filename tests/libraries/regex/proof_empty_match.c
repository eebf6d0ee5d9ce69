// EXPECT: true unreach-call LP64 WITH regex.c
/* A pattern that matches nothing is found in each text, also in the empty one. */
#include "../check.h"
#include "regex.h"

int main(void) {
    struct regex regex;
    char text[3];
    const char *start, *end;
    any_text(text, 2);
    check(regex_compile(&regex, "x*$"));
    check(regex_find(&regex, text, &start, &end));
    check(*end == '\0');
    check(start == end || *start == 'x');
    return 0;
}
