// EXPECT: true
// FILES: cJSON.c
// OPTIONS: -I.
/* Any three characters: the end of what was parsed lies in the text, and brackets without an end are refused. */
#include "cJSON.h"
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

#ifndef LENGTH
#define LENGTH 3
#endif

int main(void) {
    char text[LENGTH + 1];
    const char *end = 0;
    for (int i = 0; i < LENGTH; i++)
        text[i] = __VERIFIER_nondet_char();
    text[LENGTH] = '\0';
    cJSON *root = cJSON_ParseWithOpts(text, &end, 0);
    if (root && (end <= text || end > text + LENGTH))
        reach_error();
    if (root && cJSON_IsArray(root) && end[-1] != ']')
        reach_error();
    return 0;
}
