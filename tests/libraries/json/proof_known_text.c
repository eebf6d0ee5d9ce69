// EXPECT: true unreach-call LP64 WITH json.c
/* A text whose tree is known. */
#include "../check.h"
#include "json.h"
#include <string.h>

int main(void) {
    struct json *json = json_parse("{\"name\": \"k\\tf\", \"list\": [1, -20, null], \"ok\": true}", 0);
    check(json && json->kind == JSON_OBJECT && json_size(json) == 3);
    const struct json *name = json_get(json, "name"), *list = json_get(json, "list");
    check(name && name->kind == JSON_STRING && strcmp(name->string, "k\tf") == 0);
    check(list && list->kind == JSON_ARRAY && json_size(list) == 3);
    check(json_at(list, 1)->number == -20);
    check(!json_at(list, 3) && !json_get(json, "nam"));
    json_free(json);
    return 0;
}
