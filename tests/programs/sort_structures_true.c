// EXPECT: true unreach-call LP64
#include <stdlib.h>

extern void reach_error(void);

struct pair {
    int key, value;
};

static int by_key(const void *a, const void *b) {
    return ((const struct pair *)a)->key - ((const struct pair *)b)->key;
}

int main(void) {
    struct pair a[3] = {{4, 2}, {1, 3}, {2, 5}};
    qsort(a, 3, sizeof a[0], by_key);
    if (a[0].value != 3 || a[1].value != 5 || a[2].value != 2)
        reach_error();
    return 0;
}
