// EXPECT: true
// FILES: cJSON.c
// OPTIONS: -I.
/* A known text is parsed, and its members are found. */
#include "cJSON.h"
#include <string.h>
extern void reach_error(void);

int main(void) {
    cJSON *root = cJSON_Parse("{\"name\": \"Jack\", \"sizes\": [1, 2, 30]}");
    if (!root || !cJSON_IsObject(root))
        reach_error();
    if (strcmp(cJSON_GetStringValue(cJSON_GetObjectItem(root, "NAME")), "Jack") != 0)
        reach_error();
    cJSON *sizes = cJSON_GetObjectItemCaseSensitive(root, "sizes");
    if (cJSON_GetArraySize(sizes) != 3 || cJSON_GetArrayItem(sizes, 2)->valueint != 30)
        reach_error();
    cJSON_Delete(root);
    return 0;
}
