// EXPECT: true
// FILES: source/core_json.c
// OPTIONS: -Isource/include
/* A key is found in a known text, by its path. */
#include "core_json.h"
#include <string.h>
extern void reach_error(void);

int main(void) {
    char text[] = "{\"a\": [1, {\"b\": \"found\"}], \"c\": -2.5e3}";
    char *value;
    size_t length;
    if (JSON_Validate(text, strlen(text)) != JSONSuccess)
        reach_error();
    if (JSON_Search(text, strlen(text), "a[1].b", 6, &value, &length) != JSONSuccess)
        reach_error();
    if (length != 5 || strncmp(value, "found", 5) != 0)
        reach_error();
    if (JSON_Search(text, strlen(text), "a[2]", 4, &value, &length) != JSONNotFound)
        reach_error();
    return 0;
}
