// EXPECT: true unreach-call LP64 WITH dict.c
/* Keys that are known: set, overwritten, removed, visited. */
#include "../check.h"
#include "dict.h"

int main(void) {
    struct dict dict;
    int one, two, three;
    dict_init(&dict);
    check(!dict_get(&dict, "a"));
    if (!dict_set(&dict, "a", &two) || !dict_set(&dict, "b", &two) || !dict_set(&dict, "c", &three) ||
        !dict_set(&dict, "a", &one))
        return 0;
    check(dict.count == 3);
    check(dict_get(&dict, "a") == &one && dict_get(&dict, "b") == &two && dict_get(&dict, "c") == &three);
    check(dict_remove(&dict, "b") == &two && !dict_get(&dict, "b"));
    int visited = 0;
    for (struct dict_iterator i = dict_begin(&dict); i.entry; dict_advance(&i))
        visited += i.entry->value == &one ? 1 : i.entry->value == &three ? 10 : 100;
    check(visited == 11);
    dict_free(&dict);
    return 0;
}
