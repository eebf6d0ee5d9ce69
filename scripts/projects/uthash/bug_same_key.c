// EXPECT: false
// FILES:
// OPTIONS: -Isrc
/* HASH_ADD does not replace: the same key can be there twice. */
#include <stdlib.h>
#include "uthash.h"
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct entry {
    int key;
    UT_hash_handle hh;
};

int main(void) {
    struct entry *table = NULL, one, two;
    one.key = __VERIFIER_nondet_int();
    two.key = 7;
    HASH_ADD_INT(table, key, &one);
    HASH_ADD_INT(table, key, &two);
    HASH_DEL(table, &two);
    struct entry *found;
    HASH_FIND_INT(table, &two.key, found);
    if (found)
        reach_error();
    return 0;
}
