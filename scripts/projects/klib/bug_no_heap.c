// EXPECT: false
// FILES:
// OPTIONS: -I.
/* ksort.h: ks_heapsort without ks_heapmake does not sort. */
#include <stdlib.h>
#include "ksort.h"
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
KSORT_INIT_GENERIC(int)

int main(void) {
    int values[4];
    for (int i = 0; i < 4; i++)
        values[i] = __VERIFIER_nondet_int();
    ks_heapsort(int, 4, values);
    for (int i = 0; i < 3; i++)
        if (values[i] > values[i + 1])
            reach_error();
    return 0;
}
