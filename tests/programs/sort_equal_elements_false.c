// EXPECT: false unreach-call LP64 UNKNOWN-OK
// INPUTS:
// NATIVE: no (in which order equal elements come is the library's choice)
#include <stdlib.h>

extern void reach_error(void);

struct pair {
    int key, value;
};

static int by_key(const void *a, const void *b) {
    return ((const struct pair *)a)->key - ((const struct pair *)b)->key;
}

int main(void) {
    struct pair a[2] = {{1, 2}, {1, 3}};
    qsort(a, 2, sizeof a[0], by_key);
    if (a[0].value != 2)
        reach_error();
    return 0;
}
