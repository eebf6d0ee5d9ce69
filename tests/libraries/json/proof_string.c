// EXPECT: true unreach-call LP64 WITH json.c
/* What stands in quotes without escapes is the string. */
#include "../check.h"
#include "json.h"

int main(void) {
    char text[] = "\"ab\"";
    text[1] = __VERIFIER_nondet_char();
    text[2] = __VERIFIER_nondet_char();
    const char *end = 0;
    struct json *json = json_parse(text, &end);
    check(end - text <= 4);
    if (json && text[1] != '\\' && text[1] != '"') {
        check(json->kind == JSON_STRING);
        check(json->string[0] == text[1] && json->string[1] == text[2] && json->string[2] == '\0');
    }
    json_free(json);
    return 0;
}
