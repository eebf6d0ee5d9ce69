// EXPECT: true
// FILES: cJSON.c
// OPTIONS: -I.
/* What is built is printed. */
#include "cJSON.h"
#include <string.h>
extern void reach_error(void);

int main(void) {
    char text[64];
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "a", "x\n");
    cJSON_AddBoolToObject(root, "b", 1);
    cJSON_AddNullToObject(root, "c");
    if (!cJSON_PrintPreallocated(root, text, 64, 0))
        reach_error();
    if (strcmp(text, "{\"a\":\"x\\n\",\"b\":true,\"c\":null}") != 0)
        reach_error();
    return 0;
}
