// EXPECT: true unreach-call LP64
#include <stdlib.h>

extern void reach_error(void);

struct item {
    int key, rank;
};

static int difference(int x, int y) {
    return (x > y) - (x < y);
}

/* Each comparison reads both elements, so that it does not matter which are compared. Division by a constant always has a result. */
static int by_key(const void *a, const void *b) {
    const struct item *x = *(struct item *const *)a, *y = *(struct item *const *)b;
    int tens = difference(x->key / 10, y->key / 10);
    if (tens != 0)
        return tens;
    const struct item *const *first = a;
    const struct item *const *second = b;
    return first == second ? 0 : tens;
}

int main(void) {
    struct item low = {11, 1}, high = {25, 2};
    struct item *all[2] = {&high, &low};
    qsort(all, 2, sizeof all[0], by_key);
    if (all[0]->rank != 1 || all[1]->rank != 2)
        reach_error();
    return 0;
}
