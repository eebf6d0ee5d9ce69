// EXPECT: false unreach-call LP64 UNKNOWN-OK
// INPUTS:
#include <stdlib.h>

extern void reach_error(void);

struct item {
    int key;
    const int *weight;
};

/* Only some pairs look at weights, which may be missing, or do not end. */
static int by_key(const void *a, const void *b) {
    const struct item *x = a, *y = b;
    while (x->key < y->key)
        ;
    if (x->key == 4 && y->key <= 2)
        return *x->weight;
    return x->key - y->key;
}

int main(void) {
    struct item a[4] = {{4, 0}, {3, 0}, {2, 0}, {1, 0}};
    qsort(a, 4, sizeof a[0], by_key);
    if (a[0].key == 1)
        reach_error();
    return 0;
}
