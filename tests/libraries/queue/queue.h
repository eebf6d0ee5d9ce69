/* A priority queue in a binary heap, and a sorted array: elements are pointers, and a function compares them. */
#ifndef QUEUE_H
#define QUEUE_H

#include <stddef.h>

/* Negative, zero or positive, as the first argument comes before, with or behind the second. */
typedef int queue_compare(const void *, const void *);

struct queue {
    void **elements;
    size_t count, capacity;
    queue_compare *compare;
};

void queue_init(struct queue *queue, queue_compare *compare);
void queue_free(struct queue *queue);

/* Returns 0 if there is no memory. */
int queue_push(struct queue *queue, void *element);

/* Removes the first element; null if there is none. */
void *queue_pop(struct queue *queue);

/* Inserts an element into a sorted array of `count` elements with room for one more, behind those that are equal to it. */
void sorted_insert(void **elements, size_t count, void *element, queue_compare *compare);

/* The index of the first element that is not before `element`; `count` if there is none. */
size_t sorted_find(void *const *elements, size_t count, const void *element, queue_compare *compare);

#endif
