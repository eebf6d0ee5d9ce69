// EXPECT: true
// FILES: hashmap.c
// OPTIONS: -I.
/* Any two different keys are found; a simple hash. */
#include "hashmap.h"
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

struct pair {
    int key, value;
};

static uint64_t hash(const void *item, uint64_t a, uint64_t b) { return ((const struct pair *)item)->key * 40503u; }
static int compare(const void *a, const void *b, void *user) {
    return ((const struct pair *)a)->key - ((const struct pair *)b)->key;
}

int main(void) {
    struct hashmap *map = hashmap_new(sizeof(struct pair), 0, 0, 0, hash, compare, 0, 0);
    struct pair one = {__VERIFIER_nondet_uchar(), 1}, two = {__VERIFIER_nondet_uchar(), 2};
    if (one.key == two.key)
        return 0;
    hashmap_set(map, &one);
    hashmap_set(map, &two);
    const struct pair *found = hashmap_get(map, &one);
    if (!found || found->value != 1 || hashmap_count(map) != 2)
        reach_error();
    hashmap_delete(map, &one);
    if (hashmap_get(map, &one))
        reach_error();
    return 0;
}
