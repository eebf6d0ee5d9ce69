// EXPECT: true unreach-call LP64 WITH arena.c
/* Two blocks of any sizes do not overlap, and lie in the memory of the arena. */
#include "../check.h"
#include "arena.h"

/* The arena gets a part of this memory. */
#define SIZE 128
static _Alignas(ARENA_ALIGNMENT) char memory[SIZE + 64];

int main(void) {
    struct arena arena;
    size_t a_size = any_below(200), b_size = any_below(200);
    arena_init(&arena, memory, SIZE);
    char *a = arena_alloc(&arena, a_size), *b = arena_alloc(&arena, b_size);
    if (a)
        check(a >= memory && a + a_size <= memory + SIZE);
    if (a && b)
        check(a + a_size <= b && b + b_size <= memory + SIZE);
    check(a || a_size > 96);
    return 0;
}
