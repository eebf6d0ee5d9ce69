// EXPECT: true unreach-call LP64 WITH bitset.c
/* Any elements of a set of two words: those that were added and not removed are there. */
#include "../check.h"
#include "bitset.h"

int main(void) {
    struct bitset set;
    size_t a = any_below(100), b = any_below(100), c = any_below(100);
    if (!bitset_init(&set, 100))
        return 0;
    bitset_add(&set, a);
    bitset_add(&set, b);
    check(bitset_has(&set, c) == (c == a || c == b));
    bitset_remove(&set, a);
    check(!bitset_has(&set, a));
    check(bitset_has(&set, b) == (a != b));
    bitset_free(&set);
    return 0;
}
