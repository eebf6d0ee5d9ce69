// EXPECT: false
// FILES: ini.c
// OPTIONS: -I. -DINI_MAX_LINE=8
/* The value of a line that is longer than INI_MAX_LINE is cut off. */
#include "ini.h"
#include <string.h>
extern void reach_error(void);

static int handle(void *user, const char *section, const char *name, const char *value) {
    if (strcmp(value, "1234567") != 0)
        reach_error();
    return 1;
}

int main(void) {
    ini_parse_string("name=1234567\n", handle, 0);
    return 0;
}
