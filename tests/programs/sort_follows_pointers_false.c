// EXPECT: false unreach-call LP64 UNKNOWN-OK
// INPUTS:
#include <stdlib.h>

extern void reach_error(void);

static int some;
static int *const weights[2] = {&some, 0};

/* Whether the pointer is null depends on which elements are compared, and in which order. */
static int descending_only(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return x - y + *weights[(x < y) | ((x == 4) & (y <= 2))];
}

int main(void) {
    int a[4] = {4, 3, 2, 1};
    qsort(a, 4, sizeof a[0], descending_only);
    if (a[0] == 1)
        reach_error();
    return 0;
}
