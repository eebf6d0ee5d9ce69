// EXPECT: true unreach-call LP64 WITH ini.c
/* A name is cut off where its array ends; the value keeps its first character. */
#include "../check.h"
#include "ini.h"
#include <string.h>

static int entries;

static int handle(void *user, const char *section, const char *name, const char *value) {
    entries++;
    check(strlen(name) < INI_MAX_NAME);
    check(value[0] == 'v' && value[1] == '\0');
    return 1;
}

int main(void) {
    char text[12];
    unsigned length = 1 + any_below(10);
    for (unsigned i = 0; i < length; i++)
        text[i] = 'n';
    text[length] = '=';
    text[length + 1] = 'v';
    check(ini_parse(text, length + 2, handle, 0) == 0);
    check(entries == 1);
    return 0;
}
