// EXPECT: true
// FILES: parson.c
// OPTIONS: -I.
/* A known text is parsed, and its members are found. */
#include "parson.h"
#include <string.h>
extern void reach_error(void);

int main(void) {
    JSON_Value *root = json_parse_string("{\"a\": {\"b\": \"text\"}, \"n\": [true, null]}");
    JSON_Object *object = json_value_get_object(root);
    const char *text = json_object_dotget_string(object, "a.b");
    if (!text || strcmp(text, "text") != 0)
        reach_error();
    JSON_Array *array = json_object_get_array(object, "n");
    if (json_array_get_count(array) != 2 || json_array_get_boolean(array, 0) != 1)
        reach_error();
    json_value_free(root);
    return 0;
}
