// EXPECT: true
// FILES: cJSON.c
// OPTIONS: -I.
/* A string of three other characters is the text between its quotes. */
#include "cJSON.h"
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
    char text[6] = {'"', 0, 0, 0, '"', 0};
    for (int i = 1; i < 4; i++) {
        text[i] = __VERIFIER_nondet_char();
        if (text[i] == '"' || text[i] == '\\' || text[i] == '\0')
            return 0;
    }
    cJSON *root = cJSON_Parse(text);
    if (!root || root->valuestring[0] != text[1] || root->valuestring[2] != text[3] || root->valuestring[3] != '\0')
        reach_error();
    return 0;
}
