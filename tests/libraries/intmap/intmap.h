/* A hash table from numbers to numbers with open addressing. */
#ifndef INTMAP_H
#define INTMAP_H

#include <stddef.h>

enum intmap_state { INTMAP_EMPTY, INTMAP_USED, INTMAP_DELETED };

struct intmap_slot {
    enum intmap_state state;
    unsigned key;
    int value;
};

struct intmap {
    struct intmap_slot *slots;
    size_t capacity; /* 0 or a power of two */
    size_t count;    /* slots in use */
    size_t filled;   /* slots in use and deleted ones; always less than the capacity, unless that is 0 */
};

#define INTMAP_INIT {0, 0, 0, 0}

void intmap_free(struct intmap *map);

/* Returns 0 if there is no memory. */
int intmap_set(struct intmap *map, unsigned key, int value);

/* The place of the value of `key`, or null; it stays valid until the next key is set. */
int *intmap_get(const struct intmap *map, unsigned key);

/* Returns whether the key was there. */
int intmap_delete(struct intmap *map, unsigned key);

/* The first slot in use, and the one behind `slot`; null if there is none. */
struct intmap_slot *intmap_first(const struct intmap *map);
struct intmap_slot *intmap_next(const struct intmap *map, struct intmap_slot *slot);

#endif
