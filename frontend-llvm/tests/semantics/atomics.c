/* Atomic accesses of one thread, volatile accesses, empty assembly, thread-local and constructor-set globals. */
#include "observe.h"
#include <stdatomic.h>

static _Atomic int counter = 5;
static _Thread_local int mine = 8;
static int built, order;
static long long wide = 1;

__attribute__((constructor(200))) static void later(void) { order = order * 10 + 2; }
__attribute__((constructor(150))) static void sooner(void) { order = order * 10 + 1, built = 77; }

unsigned run(void) {
    unsigned h = 1;
    observe(h, atomic_fetch_add(&counter, 3)), observe(h, counter), observe(h, atomic_fetch_or(&counter, 0x30)), observe(h, atomic_exchange(&counter, 40));
    int expected = 40;
    observe(h, atomic_compare_exchange_strong(&counter, &expected, 41)), observe(h, counter);
    observe(h, atomic_compare_exchange_strong(&counter, &expected, 42)), observe(h, expected);
    observe(h, __sync_fetch_and_sub(&wide, 5)), observe(h, wide), observe(h, __sync_bool_compare_and_swap(&wide, -4, 6)), observe(h, wide);
    observe(h, __atomic_fetch_nand(&wide, 3, __ATOMIC_SEQ_CST)), observe(h, wide);
    __sync_synchronize();
    __asm__ volatile("" ::: "memory");
    int hidden = 6;
    __asm__("" : "+r"(hidden));
    mine += hidden;
    observe(h, mine), observe(h, built), observe(h, order);
    return h;
}
