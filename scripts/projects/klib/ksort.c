// EXPECT: true
// FILES:
// OPTIONS: -I.
/* ksort.h: the heap sort sorts any five numbers. */
#include <stdlib.h>
#include "ksort.h"
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
KSORT_INIT_GENERIC(int)

int main(void) {
    int values[5];
    for (int i = 0; i < 5; i++)
        values[i] = __VERIFIER_nondet_int();
    ks_heapmake(int, 5, values);
    ks_heapsort(int, 5, values);
    for (int i = 0; i < 4; i++)
        if (values[i] > values[i + 1])
            reach_error();
    return 0;
}
