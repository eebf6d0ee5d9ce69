#include "intmap.h"

#include <stdlib.h>

#define FIRST_CAPACITY 4

/* The multiplicative hash of Knuth (TAOCP 3, 6.4). */
static size_t hash(unsigned key) { return (key * 2654435769u) >> 16; }

/* The slot of `key`, or else the one where it is to be inserted. There must be an empty slot. */
static struct intmap_slot *find(struct intmap_slot *slots, size_t capacity, unsigned key) {
    struct intmap_slot *deleted = NULL;
    for (size_t i = hash(key) & (capacity - 1);; i = (i + 1) & (capacity - 1)) {
        struct intmap_slot *slot = &slots[i];
        switch (slot->state) {
        case INTMAP_EMPTY:
            return deleted ? deleted : slot;
        case INTMAP_DELETED:
            if (!deleted)
                deleted = slot;
            break;
        case INTMAP_USED:
            if (slot->key == key)
                return slot;
        }
    }
}

static int resize(struct intmap *map, size_t capacity) {
    struct intmap_slot *slots = calloc(capacity, sizeof *slots);
    if (!slots)
        return 0;
    for (size_t i = 0; i < map->capacity; i++) {
        struct intmap_slot *old = &map->slots[i];
        if (old->state == INTMAP_USED)
#ifdef BUG_NO_REHASH
            slots[i] = *old;
#else
            *find(slots, capacity, old->key) = *old;
#endif
    }
    free(map->slots);
    map->slots = slots;
    map->capacity = capacity;
    map->filled = map->count;
    return 1;
}

void intmap_free(struct intmap *map) {
    free(map->slots);
    map->slots = NULL;
    map->capacity = map->count = map->filled = 0;
}

int intmap_set(struct intmap *map, unsigned key, int value) {
    /* At most three quarters are filled. */
    if (4 * (map->filled + 1) > 3 * map->capacity) {
        size_t capacity = map->capacity == 0 ? FIRST_CAPACITY : map->capacity;
        if (4 * (map->count + 1) > 2 * map->capacity && map->capacity > 0)
            capacity *= 2;
        if (!resize(map, capacity))
            return 0;
    }
    struct intmap_slot *slot = find(map->slots, map->capacity, key);
    if (slot->state != INTMAP_USED) {
        map->count++;
        if (slot->state == INTMAP_EMPTY)
            map->filled++;
    }
#ifdef BUG_COUNT_TWICE
    else
        map->count++;
#endif
    slot->state = INTMAP_USED;
    slot->key = key;
    slot->value = value;
    return 1;
}

int *intmap_get(const struct intmap *map, unsigned key) {
    if (map->capacity == 0)
        return NULL;
    struct intmap_slot *slot = find(map->slots, map->capacity, key);
    return slot->state == INTMAP_USED ? &slot->value : NULL;
}

int intmap_delete(struct intmap *map, unsigned key) {
    if (map->capacity == 0)
        return 0;
    struct intmap_slot *slot = find(map->slots, map->capacity, key);
    if (slot->state != INTMAP_USED)
        return 0;
#ifdef BUG_EMPTY_WHEN_DELETED
    slot->state = INTMAP_EMPTY;
    map->filled--;
#else
    slot->state = INTMAP_DELETED;
#endif
    map->count--;
    return 1;
}

static struct intmap_slot *used_from(const struct intmap *map, struct intmap_slot *slot) {
    while (slot < map->slots + map->capacity) {
        if (slot->state == INTMAP_USED)
            return slot;
        slot++;
    }
    return NULL;
}

struct intmap_slot *intmap_first(const struct intmap *map) { return used_from(map, map->slots); }

struct intmap_slot *intmap_next(const struct intmap *map, struct intmap_slot *slot) {
    return used_from(map, slot + 1);
}
