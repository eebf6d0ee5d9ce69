/* A set of numbers below a fixed limit, one bit for each. */
#ifndef BITSET_H
#define BITSET_H

#include <stddef.h>
#include <stdint.h>

#define BITSET_NONE ((size_t)-1)

struct bitset {
    size_t limit; /* elements are less */
    uint64_t *words;
};

/* An empty set. Returns 0 if there is no memory. */
int bitset_init(struct bitset *set, size_t limit);
void bitset_free(struct bitset *set);

/* Elements must be below the limit. */
void bitset_add(struct bitset *set, size_t element);
void bitset_remove(struct bitset *set, size_t element);
int bitset_has(const struct bitset *set, size_t element);

size_t bitset_count(const struct bitset *set);

/* The least element that is at least `from`, or BITSET_NONE. */
size_t bitset_next(const struct bitset *set, size_t from);

/* These take sets with the same limit. */
void bitset_unite(struct bitset *set, const struct bitset *other);
void bitset_subtract(struct bitset *set, const struct bitset *other);
int bitset_is_subset(const struct bitset *set, const struct bitset *of);

/* All numbers below the limit that are not in it. */
void bitset_complement(struct bitset *set);

#endif
