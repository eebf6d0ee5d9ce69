// EXPECT: true unreach-call LP64 WITH intmap.c
/* After any operations on four keys, the table agrees with an array. */
#include "../check.h"
#include "intmap.h"

#ifndef STEPS
#define STEPS 3
#endif

int main(void) {
    struct intmap map = INTMAP_INIT;
    int there[4] = {0, 0, 0, 0};
    size_t count = 0;
    for (int i = 0; i < STEPS; i++) {
        unsigned key = any_below(4);
        if (__VERIFIER_nondet_bool()) {
            if (!intmap_set(&map, key, i))
                return 0;
            there[key] = 1;
        } else {
            check(intmap_delete(&map, key) == there[key]);
            there[key] = 0;
        }
    }
    for (unsigned key = 0; key < 4; key++) {
        check((intmap_get(&map, key) != 0) == there[key]);
        count += there[key];
    }
    check(map.count == count);
    intmap_free(&map);
    return 0;
}
