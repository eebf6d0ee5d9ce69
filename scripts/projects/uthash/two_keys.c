// EXPECT: true
// FILES:
// OPTIONS: -Isrc
/* Of any two keys, each is found with its value; a third is not. */
#include <stdlib.h>
#include "uthash.h"
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct entry {
    int key, value;
    UT_hash_handle hh;
};

int main(void) {
    struct entry *table = NULL, *found, one, two;
    one.key = __VERIFIER_nondet_int();
    two.key = __VERIFIER_nondet_int();
    int other = __VERIFIER_nondet_int();
    if (one.key == two.key || other == one.key || other == two.key)
        return 0;
    HASH_ADD_INT(table, key, &one);
    HASH_ADD_INT(table, key, &two);
    HASH_FIND_INT(table, &two.key, found);
    if (found != &two || HASH_COUNT(table) != 2)
        reach_error();
    HASH_FIND_INT(table, &other, found);
    if (found)
        reach_error();
    return 0;
}
