// EXPECT: true unreach-call LP64 WITH json.c
/* The reader never goes behind the end of a text, and accepts a text only as a whole. */
#include "../check.h"
#include "json.h"
#include <string.h>

#ifndef LENGTH
#define LENGTH 2
#endif

int main(void) {
    char text[LENGTH + 1];
    const char *end = 0;
    any_text(text, LENGTH);
    struct json *json = json_parse(text, &end);
    check(end >= text && end <= text + LENGTH);
    if (json)
        check(end == text + strlen(text));
    json_free(json);
    return 0;
}
