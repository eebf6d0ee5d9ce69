// EXPECT: true
// FILES:
// OPTIONS: -Isrc
/* Known texts as keys, one of which is deleted. */
#include <stdlib.h>
#include "uthash.h"
extern void reach_error(void);

struct entry {
    const char *name;
    int value;
    UT_hash_handle hh;
};

int main(void) {
    const char *names[] = {"joe", "bob", "betty", "rita"};
    struct entry *table = NULL, *found;
    for (int i = 0; i < 4; i++) {
        struct entry *e = malloc(sizeof *e);
        e->name = names[i];
        e->value = i;
        HASH_ADD_KEYPTR(hh, table, e->name, strlen(e->name), e);
    }
    HASH_FIND_STR(table, "betty", found);
    if (!found || found->value != 2)
        reach_error();
    HASH_DEL(table, found);
    HASH_FIND_STR(table, "betty", found);
    if (found || HASH_COUNT(table) != 3)
        reach_error();
    return 0;
}
