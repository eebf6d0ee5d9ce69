// EXPECT: false unreach-call LP64
// INPUTS:
#include <stdlib.h>

extern void reach_error(void);

struct item {
    int key;
};

static int by_key(const void *a, const void *b) {
    const struct item *x = *(const struct item *const *)a, *y = *(const struct item *const *)b;
    return (x->key > y->key) - (x->key < y->key);
}

int main(void) {
    struct item one = {2}, other = {1};
    struct item *all[2] = {&one, &other};
    qsort(all, 2, sizeof all[0], by_key);
    if (all[0] == &other)
        reach_error();
    return 0;
}
