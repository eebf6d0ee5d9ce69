// EXPECT: true
// FILES: source/core_json.c
// OPTIONS: -Isource/include
/* Whatever two characters one asks for, what is found lies in the text. */
#include "core_json.h"
#include <string.h>
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
    char text[] = "{\"a\":[1,2],\"bc\":{\"d\":3}}";
    char query[2] = {__VERIFIER_nondet_char(), __VERIFIER_nondet_char()};
    char *value;
    size_t length;
    if (JSON_Search(text, strlen(text), query, 2, &value, &length) == JSONSuccess) {
        if (value < text || value + length > text + strlen(text) || length == 0)
            reach_error();
        if (query[0] != 'b' || query[1] != 'c')
            reach_error();
    }
    return 0;
}
