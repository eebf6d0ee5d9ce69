// EXPECT: true unreach-call LP64 WITH json.c
/* A number in a list has the value of its digits. */
#include "../check.h"
#include "json.h"

int main(void) {
    char text[] = "[7, -00]";
    unsigned tens = any_below(10), ones = any_below(10);
    text[5] = '0' + tens;
    text[6] = '0' + ones;
    struct json *json = json_parse(text, 0);
    check(json && json_size(json) == 2);
    check(json_at(json, 0)->number == 7);
    check(json_at(json, 1)->number == -(long)(tens * 10 + ones));
    json_free(json);
    return 0;
}
