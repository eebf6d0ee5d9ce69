// EXPECT: true
// FILES: semver.c
// OPTIONS: -I.
/* Any three characters are a valid version once they have been cleaned. */
#include <string.h>
#include "semver.h"
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
    char text[4];
    for (int i = 0; i < 3; i++)
        text[i] = __VERIFIER_nondet_char();
    text[3] = '\0';
    size_t before = strlen(text);
    if (semver_clean(text) != 0 || !semver_is_valid(text) || strlen(text) > before)
        reach_error();
    return 0;
}
