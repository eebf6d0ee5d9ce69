// EXPECT: true unreach-call LP64 WITH intmap.c
/* Two keys of any value: each has what was set last, and nothing else is there. */
#include "../check.h"
#include "intmap.h"

int main(void) {
    struct intmap map = INTMAP_INIT;
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint(), c = __VERIFIER_nondet_uint();
    check(!intmap_get(&map, a));
    if (!intmap_set(&map, a, 1) || !intmap_set(&map, b, 2))
        return 0;
    check(*intmap_get(&map, b) == 2);
    check(*intmap_get(&map, a) == (a == b ? 2 : 1));
    check(map.count == (a == b ? 1 : 2));
    check(!intmap_get(&map, c) == (c != a && c != b));
    intmap_free(&map);
    return 0;
}
