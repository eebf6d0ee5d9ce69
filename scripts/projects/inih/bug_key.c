// EXPECT: false
// FILES: ini.c
// OPTIONS: -I.
/* Some five characters set the key k to 7. */
#include "ini.h"
#include <string.h>
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

static int handle(void *user, const char *section, const char *name, const char *value) {
    if (strcmp(name, "k") == 0 && strcmp(value, "7") == 0)
        reach_error();
    return 1;
}

int main(void) {
    char text[6];
    for (int i = 0; i < 5; i++)
        text[i] = __VERIFIER_nondet_char();
    text[5] = '\0';
    ini_parse_string(text, handle, 0);
    return 0;
}
