// EXPECT: true
// FILES:
// OPTIONS: -I.
/* khash.h: 20 known keys are found after the table has grown. */
#include "khash.h"
extern void reach_error(void);
KHASH_SET_INIT_INT(set)

int main(void) {
    int made;
    khash_t(set) *table = kh_init(set);
    for (int i = 0; i < 20; i++)
        kh_put(set, table, 7 * i, &made);
    if (kh_size(table) != 20)
        reach_error();
    for (int i = 0; i < 20; i++)
        if (kh_get(set, table, 7 * i) == kh_end(table))
            reach_error();
    return 0;
}
