// EXPECT: true
// FILES: parson.c
// OPTIONS: -I.
/* Any two members that are set are found again. */
#include "parson.h"
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
    JSON_Value *root = json_value_init_object();
    JSON_Object *object = json_value_get_object(root);
    char one[2] = {__VERIFIER_nondet_char(), '\0'}, two[2] = {__VERIFIER_nondet_char(), '\0'};
    if (one[0] == two[0] || (one[0] & 0x80) || (two[0] & 0x80))
        return 0;
    json_object_set_boolean(object, one, 1);
    json_object_set_boolean(object, two, 0);
    if (json_object_get_boolean(object, one) != 1 || json_object_get_boolean(object, two) != 0)
        reach_error();
    if (json_object_get_count(object) != 2)
        reach_error();
    return 0;
}
