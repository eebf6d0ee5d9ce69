#include "arena.h"

#define HEADER sizeof(struct arena_block)

static size_t rounded(size_t size) {
#ifdef BUG_ROUNDING
    return (size + ARENA_ALIGNMENT / 2) & ~(size_t)(ARENA_ALIGNMENT - 1);
#else
    return (size + ARENA_ALIGNMENT - 1) & ~(size_t)(ARENA_ALIGNMENT - 1);
#endif
}

void arena_init(struct arena *arena, void *memory, size_t size) {
    struct arena_block *block = memory;
    block->size = (size - HEADER) & ~(size_t)(ARENA_ALIGNMENT - 1);
    block->next = NULL;
    arena->free = block;
}

void *arena_alloc(struct arena *arena, size_t size) {
    size_t needed = rounded(size == 0 ? 1 : size);
    for (struct arena_block **link = &arena->free; *link; link = &(*link)->next) {
        struct arena_block *block = *link;
        if (block->size < needed || needed < size)
            continue;
#ifdef BUG_SPLIT
        if (block->size >= needed) {
#else
        if (block->size >= needed + HEADER + ARENA_ALIGNMENT) {
#endif
            struct arena_block *rest = (struct arena_block *)((char *)(block + 1) + needed);
            rest->size = block->size - needed - HEADER;
            rest->next = block->next;
            block->size = needed;
            *link = rest;
        } else {
            *link = block->next;
        }
        block->next = NULL;
        return block + 1;
    }
    return NULL;
}

/* Makes `block` and the block behind it one, if they touch each other. */
static void join(struct arena_block *block) {
    struct arena_block *next = block->next;
    if (next && (char *)(block + 1) + block->size == (char *)next) {
#ifdef BUG_JOIN
        block->size += next->size;
#else
        block->size += next->size + HEADER;
#endif
        block->next = next->next;
    }
}

void arena_free(struct arena *arena, void *memory) {
    if (!memory)
        return;
    struct arena_block *block = (struct arena_block *)memory - 1, *before = NULL, *behind = arena->free;
    while (behind && behind < block) {
        before = behind;
        behind = behind->next;
    }
    block->next = behind;
    if (before)
        before->next = block;
    else
        arena->free = block;
    join(block);
    if (before)
        join(before);
}

size_t arena_available(const struct arena *arena) {
    size_t available = 0;
    for (const struct arena_block *block = arena->free; block; block = block->next)
        available += block->size;
    return available;
}
