// EXPECT: true
// FILES: ini.c
// OPTIONS: -I.
/* A known text: the handler is called with the sections, names and values that one expects. */
#include "ini.h"
#include <string.h>
extern void reach_error(void);

static int seen;

static int handle(void *user, const char *section, const char *name, const char *value) {
    seen++;
    if (seen == 1 && (strcmp(section, "") != 0 || strcmp(name, "a") != 0 || strcmp(value, "1") != 0))
        reach_error();
    if (seen == 2 && (strcmp(section, "net") != 0 || strcmp(name, "host") != 0 || strcmp(value, "x y") != 0))
        reach_error();
    return 1;
}

int main(void) {
    if (ini_parse_string("a=1\n; no=1\n[net]\nhost = x y ; why\n", handle, 0) != 0)
        reach_error();
    if (seen != 2)
        reach_error();
    return 0;
}
