// EXPECT: true unreach-call LP64 WITH ini.c
/* A text whose entries are known: comments, blanks, a section, a last line without an end. */
#include "../check.h"
#include "ini.h"
#include <string.h>

static int entries, port, is_named;

static int handle(void *user, const char *section, const char *name, const char *value) {
    check(user == &entries);
    entries++;
    if (strcmp(section, "server") == 0 && strcmp(name, "port") == 0)
        port = value[0] - '0';
    if (strcmp(section, "server") == 0 && strcmp(name, "name") == 0)
        is_named = strcmp(value, "x y") == 0;
    return 1;
}

int main(void) {
    static const char text[] = "; a comment\nport=1\n[ server ]\n\nport = 8\r\nname= x y ; why";
    check(ini_parse(text, sizeof text - 1, handle, &entries) == 0);
    check(entries == 3 && port == 8 && is_named);
    return 0;
}
