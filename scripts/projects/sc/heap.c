// EXPECT: true
// FILES: heap/sc_heap.c
// OPTIONS: -Iheap
/* Any four keys are popped in order, each with its data. */
#include <stdlib.h>
#include "sc_heap.h"
extern void reach_error(void);
extern long __VERIFIER_nondet_long(void);

int main(void) {
    struct sc_heap heap;
    long keys[4], last = 0;
    sc_heap_init(&heap, 0);
    for (int i = 0; i < 4; i++) {
        keys[i] = __VERIFIER_nondet_long();
        if (!sc_heap_add(&heap, keys[i], &keys[i]))
            reach_error();
    }
    for (int i = 0; i < 4; i++) {
        struct sc_heap_data *top = sc_heap_pop(&heap);
        if (!top || (i && top->key < last) || *(long *)top->data != top->key)
            reach_error();
        last = top->key;
    }
    if (sc_heap_pop(&heap))
        reach_error();
    sc_heap_term(&heap);
    return 0;
}
