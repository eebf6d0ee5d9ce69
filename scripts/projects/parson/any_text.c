// EXPECT: true
// FILES: parson.c
// OPTIONS: -I.
/* What two characters may be: an empty object, an empty array, an empty string or a number. */
#include "parson.h"
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
    char text[3] = {__VERIFIER_nondet_char(), __VERIFIER_nondet_char(), '\0'};
    JSON_Value *root = json_parse_string(text);
    if (root && json_value_get_type(root) == JSONObject && !(text[0] == '{' && text[1] == '}'))
        reach_error();
    if (root && json_value_get_type(root) == JSONBoolean)
        reach_error();
    return 0;
}
