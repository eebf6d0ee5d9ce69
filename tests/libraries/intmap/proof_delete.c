// EXPECT: true unreach-call LP64 WITH intmap.c
/* A key stays although another one, in whose way it was, is deleted. */
#include "../check.h"
#include "intmap.h"

int main(void) {
    struct intmap map = INTMAP_INIT;
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    if (a == b || !intmap_set(&map, a, 1) || !intmap_set(&map, b, 2))
        return 0;
    check(intmap_delete(&map, a));
    check(!intmap_get(&map, a) && !intmap_delete(&map, a));
    check(intmap_get(&map, b) && *intmap_get(&map, b) == 2);
    check(map.count == 1);
    intmap_free(&map);
    return 0;
}
