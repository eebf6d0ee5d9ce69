// EXPECT: true unreach-call LP64 WITH bitset.c
/* The iteration visits both elements, the smaller one first, and nothing else. */
#include "../check.h"
#include "bitset.h"

int main(void) {
    struct bitset set;
    size_t a = any_below(128), b = any_below(128), low = a < b ? a : b, high = a < b ? b : a;
    if (!bitset_init(&set, 128))
        return 0;
    bitset_add(&set, a);
    bitset_add(&set, b);
    size_t first = bitset_next(&set, 0);
    check(first == low);
    check(bitset_next(&set, first) == first);
    size_t second = bitset_next(&set, first + 1);
    check(second == (low < high ? high : BITSET_NONE));
    bitset_free(&set);
    return 0;
}
