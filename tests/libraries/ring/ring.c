#include "ring.h"

#include <stdlib.h>
#include <string.h>

static size_t capacity(const struct ring *ring) { return ring->end - ring->begin; }

int ring_init(struct ring *ring, size_t capacity) {
    ring->begin = malloc(capacity * sizeof *ring->begin);
    if (!ring->begin)
        return 0;
    ring->end = ring->begin + capacity;
    ring->first = ring->begin;
    ring->count = 0;
    return 1;
}

void ring_free(struct ring *ring) {
    free(ring->begin);
    ring->begin = ring->end = ring->first = NULL;
    ring->count = 0;
}

/* The place `distance` elements behind the first one, at most a whole round. */
static int *place(const struct ring *ring, size_t distance) {
    size_t to_end = ring->end - ring->first;
#ifdef BUG_WRAP
    return distance <= to_end ? ring->first + distance : ring->begin + (distance - to_end);
#else
    return distance < to_end ? ring->first + distance : ring->begin + (distance - to_end);
#endif
}

static int grow(struct ring *ring) {
    size_t old = capacity(ring), to_end = ring->end - ring->first;
    int *begin = malloc(2 * old * sizeof *begin);
    if (!begin)
        return 0;
    memcpy(begin, ring->first, to_end * sizeof *begin);
#ifndef BUG_SECOND_HALF
    memcpy(begin + to_end, ring->begin, (old - to_end) * sizeof *begin);
#endif
    free(ring->begin);
    ring->begin = ring->first = begin;
    ring->end = begin + 2 * old;
    return 1;
}

int ring_push_back(struct ring *ring, int value) {
    if (ring->count == capacity(ring) && !grow(ring))
        return 0;
    *place(ring, ring->count) = value;
    ring->count++;
    return 1;
}

int ring_push_front(struct ring *ring, int value) {
    if (ring->count == capacity(ring) && !grow(ring))
        return 0;
    if (ring->first == ring->begin)
        ring->first = ring->end;
    *--ring->first = value;
    ring->count++;
    return 1;
}

int ring_pop_front(struct ring *ring, int *value) {
    if (ring->count == 0)
        return 0;
    *value = *ring->first;
    ring->first = place(ring, 1);
    ring->count--;
    return 1;
}

int ring_pop_back(struct ring *ring, int *value) {
    if (ring->count == 0)
        return 0;
#ifdef BUG_POP_BACK
    *value = *place(ring, ring->count);
#else
    *value = *place(ring, ring->count - 1);
#endif
    ring->count--;
    return 1;
}

int *ring_at(const struct ring *ring, size_t index) { return place(ring, index); }

int *ring_first(const struct ring *ring) { return ring->count > 0 ? ring->first : NULL; }

int *ring_next(const struct ring *ring, int *at) {
    int *next = at + 1 == ring->end ? ring->begin : at + 1;
    return next == place(ring, ring->count) ? NULL : next;
}
