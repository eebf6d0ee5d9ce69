#include "bitset.h"

#include <stdlib.h>

#define BITS 64

static size_t word_count(const struct bitset *set) {
#ifdef BUG_WORDS
    return set->limit / BITS;
#else
    return (set->limit + BITS - 1) / BITS;
#endif
}

int bitset_init(struct bitset *set, size_t limit) {
    set->limit = limit;
    set->words = calloc(word_count(set), sizeof *set->words);
    return set->words != NULL || limit == 0;
}

void bitset_free(struct bitset *set) {
    free(set->words);
    set->words = NULL;
    set->limit = 0;
}

void bitset_add(struct bitset *set, size_t element) { set->words[element / BITS] |= (uint64_t)1 << element % BITS; }

void bitset_remove(struct bitset *set, size_t element) { set->words[element / BITS] &= ~((uint64_t)1 << element % BITS); }

int bitset_has(const struct bitset *set, size_t element) { return set->words[element / BITS] >> element % BITS & 1; }

/* The number of ones, by summing up ever larger groups of bits. */
static unsigned ones(uint64_t word) {
    word -= word >> 1 & 0x5555555555555555u;
    word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
    word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return word * 0x0101010101010101u >> 56;
}

/* The index of the lowest one, of which there must be one, by halving. */
static unsigned lowest(uint64_t word) {
    unsigned index = 0;
    for (unsigned width = BITS / 2; width > 0; width /= 2) {
        if ((word & (((uint64_t)1 << width) - 1)) == 0) {
            word >>= width;
            index += width;
        }
    }
    return index;
}

size_t bitset_count(const struct bitset *set) {
    size_t count = 0;
    for (size_t i = 0; i < word_count(set); i++)
        count += ones(set->words[i]);
    return count;
}

size_t bitset_next(const struct bitset *set, size_t from) {
    if (from >= set->limit)
        return BITSET_NONE;
    size_t i = from / BITS;
#ifdef BUG_NEXT
    uint64_t word = set->words[i] & ~(uint64_t)0 << (from % BITS + 1) % BITS;
#else
    uint64_t word = set->words[i] & ~(uint64_t)0 << from % BITS;
#endif
    while (word == 0) {
        if (++i == word_count(set))
            return BITSET_NONE;
        word = set->words[i];
    }
    return i * BITS + lowest(word);
}

void bitset_unite(struct bitset *set, const struct bitset *other) {
    for (size_t i = 0; i < word_count(set); i++)
        set->words[i] |= other->words[i];
}

void bitset_subtract(struct bitset *set, const struct bitset *other) {
    for (size_t i = 0; i < word_count(set); i++)
        set->words[i] &= ~other->words[i];
}

int bitset_is_subset(const struct bitset *set, const struct bitset *of) {
    for (size_t i = 0; i < word_count(set); i++) {
        if (set->words[i] & ~of->words[i])
            return 0;
    }
    return 1;
}

void bitset_complement(struct bitset *set) {
    size_t n = word_count(set);
    for (size_t i = 0; i < n; i++)
        set->words[i] = ~set->words[i];
#ifndef BUG_COMPLEMENT
    if (set->limit % BITS != 0)
        set->words[n - 1] &= ((uint64_t)1 << set->limit % BITS) - 1;
#endif
}
