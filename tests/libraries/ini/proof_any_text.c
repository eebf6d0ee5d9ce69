// EXPECT: true unreach-call LP64 WITH ini.c
/* Whatever the text is: there are not more entries than lines, and their texts end within their arrays. */
#include "../check.h"
#include "ini.h"

#ifndef LENGTH
#define LENGTH 3
#endif

static int entries;

static int handle(void *user, const char *section, const char *name, const char *value) {
    entries++;
    check(section[0] == '\0' || LENGTH > 5);
    check(value[0] != ' ' && name[0] != ' ');
    return 1;
}

int main(void) {
    char text[LENGTH + 1];
    any_text(text, LENGTH);
    int wrong = ini_parse(text, LENGTH, handle, 0);
    check(wrong >= 0 && wrong <= LENGTH);
    check(entries <= LENGTH / 2);
    return 0;
}
