#include "queue.h"

#include <stdlib.h>
#include <string.h>

void queue_init(struct queue *queue, queue_compare *compare) {
    queue->elements = NULL;
    queue->count = queue->capacity = 0;
    queue->compare = compare;
}

void queue_free(struct queue *queue) {
    free(queue->elements);
    queue_init(queue, queue->compare);
}

int queue_push(struct queue *queue, void *element) {
    if (queue->count == queue->capacity) {
        size_t capacity = queue->capacity == 0 ? 2 : 2 * queue->capacity;
        void **elements = realloc(queue->elements, capacity * sizeof *elements);
        if (!elements)
            return 0;
        queue->elements = elements;
        queue->capacity = capacity;
    }
    size_t hole = queue->count++;
#ifdef BUG_ROOT
    while (hole > 2) {
#else
    while (hole > 0) {
#endif
        size_t parent = (hole - 1) / 2;
        if (queue->compare(queue->elements[parent], element) <= 0)
            break;
        queue->elements[hole] = queue->elements[parent];
        hole = parent;
    }
    queue->elements[hole] = element;
    return 1;
}

void *queue_pop(struct queue *queue) {
    if (queue->count == 0)
        return NULL;
    void *first = queue->elements[0], *last = queue->elements[--queue->count];
    size_t hole = 0, child;
    while ((child = 2 * hole + 1) < queue->count) {
#ifndef BUG_SMALLER_CHILD
        if (child + 1 < queue->count && queue->compare(queue->elements[child + 1], queue->elements[child]) < 0)
            child++;
#endif
        if (queue->compare(last, queue->elements[child]) <= 0)
            break;
        queue->elements[hole] = queue->elements[child];
        hole = child;
    }
    queue->elements[hole] = last;
    return first;
}

void sorted_insert(void **elements, size_t count, void *element, queue_compare *compare) {
    size_t at = count;
#ifdef BUG_NOT_STABLE
    while (at > 0 && compare(elements[at - 1], element) >= 0)
#else
    while (at > 0 && compare(elements[at - 1], element) > 0)
#endif
        at--;
    memmove(elements + at + 1, elements + at, (count - at) * sizeof *elements);
    elements[at] = element;
}

size_t sorted_find(void *const *elements, size_t count, const void *element, queue_compare *compare) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare(elements[middle], element) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
