// EXPECT: true
// FILES: hashmap.c
// OPTIONS: -I.
/* Known texts as keys, with the hash function of the library. */
#include "hashmap.h"
#include <string.h>
extern void reach_error(void);

struct entry {
    const char *name;
    int value;
};

static uint64_t hash(const void *item, uint64_t a, uint64_t b) {
    const char *name = ((const struct entry *)item)->name;
    return hashmap_sip(name, strlen(name), a, b);
}
static int compare(const void *a, const void *b, void *user) {
    return strcmp(((const struct entry *)a)->name, ((const struct entry *)b)->name);
}

int main(void) {
    struct hashmap *map = hashmap_new(sizeof(struct entry), 0, 1, 2, hash, compare, 0, 0);
    hashmap_set(map, &(struct entry){"dale", 44});
    hashmap_set(map, &(struct entry){"roger", 68});
    hashmap_set(map, &(struct entry){"dale", 45});
    const struct entry *found = hashmap_get(map, &(struct entry){"dale"});
    if (!found || found->value != 45 || hashmap_count(map) != 2)
        reach_error();
    return 0;
}
