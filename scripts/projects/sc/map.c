// EXPECT: true
// FILES: map/sc_map.c
// OPTIONS: -Imap
/* Any two different numbers as keys have their values; one that is deleted is missing. */
#include "sc_map.h"
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    struct sc_map_32 map;
    unsigned one = __VERIFIER_nondet_uint(), two = __VERIFIER_nondet_uint();
    unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
    if (one == two)
        return 0;
    if (!sc_map_init_32(&map, 0, 0))
        reach_error();
    sc_map_put_32(&map, one, x);
    sc_map_put_32(&map, two, y);
    if (sc_map_get_32(&map, one) != x || !sc_map_found(&map) || sc_map_get_32(&map, two) != y || sc_map_size_32(&map) != 2)
        reach_error();
    if (sc_map_del_32(&map, one) != x)
        reach_error();
    sc_map_get_32(&map, one);
    if (sc_map_found(&map) || sc_map_get_32(&map, two) != y || !sc_map_found(&map))
        reach_error();
    sc_map_term_32(&map);
    return 0;
}
