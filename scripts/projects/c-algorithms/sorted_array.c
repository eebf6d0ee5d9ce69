// EXPECT: true
// FILES: src/sortedarray.c src/compare-int.c
// OPTIONS: -Isrc
/* What has been inserted is found, and all are in order, if there are two or three. */
#include "sortedarray.h"
#include "compare-int.h"
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int values[3], n = __VERIFIER_nondet_int();
    if (n < 2 || n > 3)
        return 0;
    SortedArray *array = sortedarray_new(1, int_compare);
    for (int i = 0; i < n; i++) {
        values[i] = __VERIFIER_nondet_int();
        sortedarray_insert(array, &values[i]);
    }
    for (int i = 0; i < n; i++)
        if (sortedarray_index_of(array, &values[i]) < 0)
            reach_error();
    for (int i = 1; i < n; i++)
        if (*(int *)sortedarray_get(array, i - 1) > *(int *)sortedarray_get(array, i))
            reach_error();
    return 0;
}
