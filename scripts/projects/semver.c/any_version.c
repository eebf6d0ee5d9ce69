// EXPECT: true
// FILES: semver.c
// OPTIONS: -I.
/* Any version of three digits is rendered as it was parsed. */
#include <string.h>
#include "semver.h"
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    char text[6], back[16] = "";
    semver_t version = {0};
    for (int i = 0; i < 5; i++)
        text[i] = i % 2 ? '.' : '0' + __VERIFIER_nondet_uchar() % 10;
    text[5] = '\0';
    if (semver_parse(text, &version) != 0 || version.minor != text[2] - '0')
        reach_error();
    semver_render(&version, back);
    if (strcmp(text, back) != 0)
        reach_error();
    semver_free(&version);
    return 0;
}
