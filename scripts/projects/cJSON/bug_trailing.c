// EXPECT: false
// FILES: cJSON.c
// OPTIONS: -I.
/* cJSON_Parse takes texts with something behind the value. */
#include "cJSON.h"
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
    char text[4] = {'[', ']', __VERIFIER_nondet_char(), '\0'};
    cJSON *root = cJSON_Parse(text);
    if (root && text[2] == ']')
        reach_error();
    return 0;
}
