// EXPECT: false unreach-call LP64
// INPUTS: 45 0
/* A minus sign without digits passes as a number, and so does a word that no value begins with. */
#define BUG_LONE_MINUS
#include "json.c"

#include "../check.h"

int main(void) {
    char text[3];
    any_text(text, 2);
    struct json *json = json_parse(text, 0);
    if (json && json->kind == JSON_NUMBER)
        check(is_digit(text[0]) || is_digit(text[1]));
    json_free(json);
    return 0;
}
