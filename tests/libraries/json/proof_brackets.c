// EXPECT: true unreach-call LP64 WITH json.c
/* A list ends with an element or right after its bracket: there is no comma before the closing bracket. */
#include "../check.h"
#include "json.h"

int main(void) {
    char text[] = "[1?]";
    text[2] = __VERIFIER_nondet_char();
    struct json *json = json_parse(text, 0);
    check(!json || text[2] != ',');
    check(!json || json->kind == JSON_ARRAY);
    json_free(json);
    return 0;
}
