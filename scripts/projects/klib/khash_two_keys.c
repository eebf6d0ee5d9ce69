// EXPECT: true
// FILES:
// OPTIONS: -I.
/* khash.h: any two different keys have their values. */
#include "khash.h"
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
KHASH_MAP_INIT_INT(ints, int)

int main(void) {
    int one = __VERIFIER_nondet_int(), two = __VERIFIER_nondet_int(), made;
    if (one == two)
        return 0;
    khash_t(ints) *table = kh_init(ints);
    khint_t at = kh_put(ints, table, one, &made);
    kh_value(table, at) = 10;
    at = kh_put(ints, table, two, &made);
    kh_value(table, at) = 20;
    at = kh_get(ints, table, one);
    if (at == kh_end(table) || kh_value(table, at) != 10 || kh_size(table) != 2)
        reach_error();
    kh_del(ints, table, at);
    if (kh_get(ints, table, one) != kh_end(table))
        reach_error();
    kh_destroy(ints, table);
    return 0;
}
