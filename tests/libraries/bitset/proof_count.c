// EXPECT: true unreach-call LP64 UNKNOWN-OK WITH bitset.c
// BLOCKED: sums of the ones of two words are hard for SAT solvers.
/* A set of any elements and its complement have as many elements as there are. */
#include "../check.h"
#include "bitset.h"

int main(void) {
    struct bitset set;
    if (!bitset_init(&set, 100))
        return 0;
    for (int i = 0; i < 3; i++)
        bitset_add(&set, any_below(100));
    size_t count = bitset_count(&set);
    check(count >= 1 && count <= 3);
    bitset_complement(&set);
    check(bitset_count(&set) == 100 - count);
    bitset_free(&set);
    return 0;
}
