// EXPECT: false
// FILES: semver.c
// OPTIONS: -I.
/* A text of five characters that is parsed need not have three parts: the patch keeps its value. */
#include "semver.h"
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
    char text[6];
    semver_t version = {0};
    version.patch = -1;
    for (int i = 0; i < 5; i++)
        text[i] = __VERIFIER_nondet_char();
    text[5] = '\0';
    if (text[0] >= '0' && text[0] <= '9' && semver_parse(text, &version) == 0 && version.patch == -1)
        reach_error();
    return 0;
}
