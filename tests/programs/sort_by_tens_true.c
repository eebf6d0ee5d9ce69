// EXPECT: true unreach-call LP64
#include <stdlib.h>

extern void reach_error(void);

struct item {
    int key, rank;
};

static int difference(int x, int y) {
    return (x > y) - (x < y);
}

/* Division by a constant always has a result, and elements themselves can always be read. */
static int by_tens(const void *a, const void *b) {
    const struct item *x = a, *y = b;
    int tens = difference(x->key / 10, y->key / 10);
    if (tens != 0)
        return tens;
    return difference(x->key, y->key);
}

int main(void) {
    struct item all[2] = {{25, 2}, {11, 1}};
    qsort(all, 2, sizeof all[0], by_tens);
    if (all[0].rank != 1 || all[1].rank != 2)
        reach_error();
    return 0;
}
