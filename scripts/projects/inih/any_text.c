// EXPECT: true
// FILES: ini.c
// OPTIONS: -I.
/* Any five characters: names and values neither begin nor end with a space, and names are not longer than the text. */
#include "ini.h"
#include <string.h>
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

static int handle(void *user, const char *section, const char *name, const char *value) {
    size_t n = strlen(name), v = strlen(value);
    if (n + v > 5 || (n > 0 && name[n - 1] == ' ') || (v > 0 && (value[0] == ' ' || value[v - 1] == ' ')))
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
