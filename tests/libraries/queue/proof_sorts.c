// EXPECT: true unreach-call LP64 WITH queue.c
/* Elements come out in order: any numbers, up to a number of them. */
#include "../check.h"
#include "queue.h"

#ifndef COUNT
#define COUNT 3
#endif

static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

int main(void) {
    struct queue queue;
    int values[COUNT];
    unsigned sum = 0;
    queue_init(&queue, compare);
    for (int i = 0; i < COUNT; i++) {
        values[i] = __VERIFIER_nondet_int();
        sum += values[i];
        if (!queue_push(&queue, &values[i]))
            return 0;
    }
    int *before = 0, *at;
    while ((at = queue_pop(&queue))) {
        check(!before || *before <= *at);
        sum -= *at;
        before = at;
    }
    check(sum == 0);
    queue_free(&queue);
    return 0;
}
