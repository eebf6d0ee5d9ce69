// EXPECT: true unreach-call LP64 WITH bitset.c
/* A set of any limit: an element that is added is there, and the next one from there. */
#include "../check.h"
#include "bitset.h"

int main(void) {
    struct bitset set;
    size_t limit = 1 + any_below(1000), element = any_below(limit);
    if (!bitset_init(&set, limit))
        return 0;
    check(!bitset_has(&set, element));
    bitset_add(&set, element);
    check(bitset_has(&set, element));
    check(bitset_next(&set, element) == element);
    bitset_free(&set);
    return 0;
}
