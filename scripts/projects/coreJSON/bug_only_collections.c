// EXPECT: false
// FILES: source/core_json.c
// OPTIONS: -Isource/include
/* A valid text need not be an object or an array. */
#include "core_json.h"
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
    char text[4];
    for (int i = 0; i < 4; i++)
        text[i] = __VERIFIER_nondet_char();
    if (JSON_Validate(text, 4) == JSONSuccess && text[0] != '{' && text[0] != '[' && text[0] > ' ')
        reach_error();
    return 0;
}
