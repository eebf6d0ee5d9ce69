// EXPECT: true unreach-call LP64 WITH queue.c
/* Elements that are equal stay in the order in which they were inserted. */
#include "../check.h"
#include "queue.h"

struct item {
    int key, index;
};

static int compare(const void *a, const void *b) {
    return ((const struct item *)a)->key - ((const struct item *)b)->key;
}

int main(void) {
    struct item items[3];
    void *sorted[3];
    for (int i = 0; i < 3; i++) {
        items[i].key = any_below(3);
        items[i].index = i;
        sorted_insert(sorted, i, &items[i], compare);
    }
    for (int i = 0; i < 2; i++) {
        const struct item *a = sorted[i], *b = sorted[i + 1];
        check(a->key < b->key || (a->key == b->key && a->index < b->index));
    }
    return 0;
}
