// EXPECT: true unreach-call LP64 WITH regex.c
/* Patterns and texts that are known. */
#include "../check.h"
#include "regex.h"

/* The length of the first match, or -1. */
static int find(const char *pattern, const char *text) {
    struct regex regex;
    const char *start, *end;
    if (!regex_compile(&regex, pattern))
        return -2;
    return regex_find(&regex, text, &start, &end) ? end - start : -1;
}

int main(void) {
    check(find("[0-9]+", "ab120c") == 3);
    check(find("^b", "ab") == -1);
    check(find("a.*c$", "xabcabc") == 6);
    check(find("a*a", "aaa") == 3);
    check(find("[^a-y]?x", "zx") == 2);
    check(find("\\*", "a*") == 1);
    check(find("*", "a") == -2 && find("[a", "a") == -2);
    return 0;
}
