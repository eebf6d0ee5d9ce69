// EXPECT: false
// FILES: parson.c
// OPTIONS: -I.
/* The size of a serialization is not always the length of the text. */
#include "parson.h"
extern void reach_error(void);

int main(void) {
    JSON_Value *root = json_parse_string("[true]");
    if (json_serialization_size(root) != 6)
        reach_error();
    return 0;
}
