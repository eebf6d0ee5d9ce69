/* An allocator on memory that its user provides: first fit on a list of free blocks, which is sorted by address. */
#ifndef ARENA_H
#define ARENA_H

#include <stddef.h>

#define ARENA_ALIGNMENT 16

/* What lies before each block, free or not. */
struct arena_block {
    size_t size; /* of the block without this header; a multiple of the alignment */
    struct arena_block *next;
};

struct arena {
    struct arena_block *free;
};

/* `memory` is aligned, and has `size` bytes: at least one header and 16 more. */
void arena_init(struct arena *arena, void *memory, size_t size);

/* Returns null if no block is large enough. */
void *arena_alloc(struct arena *arena, size_t size);

/* Gives a block back; null is allowed. Neighbours that are free become one block. */
void arena_free(struct arena *arena, void *block);

/* The number of bytes in free blocks. */
size_t arena_available(const struct arena *arena);

#endif
