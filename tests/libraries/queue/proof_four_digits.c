// EXPECT: true unreach-call LP64 WITH queue.c
/* Four small numbers in any order come out in order. */
#include "../check.h"
#include "queue.h"

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(void) {
    struct queue queue;
    int values[4], before = 0, *at;
    queue_init(&queue, compare);
    for (int i = 0; i < 4; i++) {
        values[i] = any_below(4);
        if (!queue_push(&queue, &values[i]))
            return 0;
    }
    check(queue.count == 4 && queue.capacity == 4);
    while ((at = queue_pop(&queue))) {
        check(before <= *at);
        before = *at;
    }
    queue_free(&queue);
    return 0;
}
