// EXPECT: true
// FILES: src/map.c
// OPTIONS: -Isrc
/* Any two keys of one or two characters have their values, and one is left if the other one is removed. */
#include "map.h"
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    map_int_t map;
    char one[3] = "a", two[3] = "a";
    one[1] = __VERIFIER_nondet_char();
    two[1] = __VERIFIER_nondet_char();
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), same = one[1] == two[1];
    map_init(&map);
    if (map_set(&map, one, x) != 0 || map_set(&map, two, y) != 0)
        reach_error();
    int *first = map_get(&map, one), *second = map_get(&map, two);
    if (!first || !second || *first != (same ? y : x) || *second != y || map.base.nnodes != (same ? 1 : 2))
        reach_error();
    map_remove(&map, two);
    first = map_get(&map, one);
    if (map_get(&map, two) || (same ? first != 0 : !first))
        reach_error();
    map_deinit(&map);
    return 0;
}
