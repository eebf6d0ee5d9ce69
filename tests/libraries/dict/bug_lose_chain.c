// EXPECT: false unreach-call LP64
// INPUTS: 0
/* Growth keeps only the last entry of each chain. */
#define BUG_LOSE_CHAIN
#include "dict.c"

#include "../check.h"

int main(void) {
    struct dict dict;
    char keys[5][2] = {"a", "e", "c", "g", "i"};
    int value;
    unsigned which = any_below(5);
    dict_init(&dict);
    for (int i = 0; i < 5; i++) {
        if (!dict_set(&dict, keys[i], &value))
            return 0;
    }
    check(dict_get(&dict, keys[which]) == &value);
    dict_free(&dict);
    return 0;
}
