// EXPECT: true unreach-call LP64 WITH arena.c
/* What is written into a block stays there while others come and go. */
#include "../check.h"
#include "arena.h"

static _Alignas(ARENA_ALIGNMENT) char memory[128];

int main(void) {
    struct arena arena;
    int value = __VERIFIER_nondet_int();
    arena_init(&arena, memory, sizeof memory);
    int *a = arena_alloc(&arena, sizeof *a), *b = arena_alloc(&arena, sizeof *b);
    check(a && b);
    *b = value;
    arena_free(&arena, a);
    a = arena_alloc(&arena, any_below(32));
    if (a)
        *a = 1;
    check(*b == value);
    arena_free(&arena, b);
    arena_free(&arena, a);
    check(arena_available(&arena) == sizeof memory - sizeof(struct arena_block));
    return 0;
}
