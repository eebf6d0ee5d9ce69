// EXPECT: true unreach-call LP64 WITH dict.c
/* Three keys, two of them in one chain, of which one is removed: the others stay. */
#include "../check.h"
#include "dict.h"

int main(void) {
    struct dict dict;
    char keys[3][2] = {"a", "e", "b"};
    int values[3];
    unsigned gone = any_below(3);
    dict_init(&dict);
    for (int i = 0; i < 3; i++) {
        if (!dict_set(&dict, keys[i], &values[i]))
            return 0;
    }
    check(dict_remove(&dict, keys[gone]) == &values[gone]);
    for (unsigned i = 0; i < 3; i++)
        check(dict_get(&dict, keys[i]) == (i == gone ? 0 : &values[i]));
    check(dict.count == 2);
    dict_free(&dict);
    return 0;
}
