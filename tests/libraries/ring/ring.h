/* A double-ended queue of numbers in a ring that grows. Iterators are pointers into it: pushing makes them invalid. */
#ifndef RING_H
#define RING_H

#include <stddef.h>

struct ring {
    int *begin, *end; /* the array */
    int *first;       /* the oldest element; `begin` if there is none */
    size_t count;
};

/* Returns 0 if there is no memory. `capacity` is at least 1. */
int ring_init(struct ring *ring, size_t capacity);

void ring_free(struct ring *ring);

/* Return 0 if there is no memory; the ring is as before. */
int ring_push_back(struct ring *ring, int value);
int ring_push_front(struct ring *ring, int value);

/* Return 0 if there is no element. */
int ring_pop_front(struct ring *ring, int *value);
int ring_pop_back(struct ring *ring, int *value);

/* The element at `index`, counted from the oldest one, which must exist. */
int *ring_at(const struct ring *ring, size_t index);

/* The oldest element, and the one behind `at`; null if there is none. */
int *ring_first(const struct ring *ring);
int *ring_next(const struct ring *ring, int *at);

#endif
