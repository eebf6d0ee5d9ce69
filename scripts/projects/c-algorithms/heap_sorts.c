// EXPECT: true
// FILES: src/binary-heap.c src/compare-int.c
// OPTIONS: -Isrc
/* A heap sorts any four numbers. */
#include <stddef.h>
#include "binary-heap.h"
#include "compare-int.h"
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

#ifndef LENGTH
#define LENGTH 4
#endif

int main(void) {
    int values[LENGTH];
    unsigned sum = 0, popped = 0;
    BinaryHeap *heap = binary_heap_new(BINARY_HEAP_TYPE_MIN, int_compare);
    for (int i = 0; i < LENGTH; i++) {
        values[i] = __VERIFIER_nondet_int();
        sum += values[i];
        binary_heap_insert(heap, &values[i]);
    }
    int *last = NULL;
    for (int i = 0; i < LENGTH; i++) {
        int *value = binary_heap_pop(heap);
        if (!value || (last && *last > *value))
            reach_error();
        last = value;
        popped += *value;
    }
    if (binary_heap_pop(heap) || popped != sum)
        reach_error();
    binary_heap_free(heap);
    return 0;
}
