// EXPECT: false
// FILES: cJSON.c
// OPTIONS: -I.
/* cJSON_GetObjectItem ignores case: it finds the first member, not the one with exactly this name. */
#include "cJSON.h"
extern void reach_error(void);

int main(void) {
    cJSON *root = cJSON_Parse("{\"A\": 1, \"a\": 2}");
    if (root && cJSON_GetObjectItem(root, "a")->valueint != 2)
        reach_error();
    return 0;
}
