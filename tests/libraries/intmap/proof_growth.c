// EXPECT: true unreach-call LP64 WITH intmap.c
/* All keys are found after the table has grown, and an iterator visits each once. */
#include "../check.h"
#include "intmap.h"

int main(void) {
    struct intmap map = INTMAP_INIT;
    unsigned first = any_below(100), sum = 0;
    for (unsigned i = 0; i < 4; i++) {
        if (!intmap_set(&map, first + i, i))
            return 0;
    }
    check(map.capacity == 8 && map.count == 4);
    for (unsigned i = 0; i < 4; i++) {
        int *value = intmap_get(&map, first + i);
        check(value && *value == (int)i);
    }
    for (struct intmap_slot *slot = intmap_first(&map); slot; slot = intmap_next(&map, slot))
        sum += slot->key - first + 1;
    check(sum == 10);
    intmap_free(&map);
    return 0;
}
