// EXPECT: true
// FILES: cJSON.c
// OPTIONS: -I.
/* A number is printed as one expects. */
#include "cJSON.h"
#include <string.h>
extern void reach_error(void);

int main(void) {
    char text[32];
    cJSON *number = cJSON_CreateNumber(125);
    if (!cJSON_PrintPreallocated(number, text, 32, 0) || strcmp(text, "125") != 0)
        reach_error();
    return 0;
}
