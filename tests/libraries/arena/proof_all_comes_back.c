// EXPECT: true unreach-call LP64 WITH arena.c
/* Three blocks, given back in any order: everything is one block again. */
#include "../check.h"
#include "arena.h"

static _Alignas(ARENA_ALIGNMENT) char memory[256];

int main(void) {
    struct arena arena;
    void *blocks[3];
    arena_init(&arena, memory, sizeof memory);
    size_t all = arena_available(&arena);
    for (int i = 0; i < 3; i++)
        blocks[i] = arena_alloc(&arena, 16);
    check(blocks[0] && blocks[1] && blocks[2]);
    unsigned first = any_below(3), second = (first + 1 + any_below(2)) % 3;
    arena_free(&arena, blocks[first]);
    arena_free(&arena, blocks[second]);
    arena_free(&arena, blocks[3 - first - second]);
    check(arena_available(&arena) == all && !arena.free->next);
    return 0;
}
