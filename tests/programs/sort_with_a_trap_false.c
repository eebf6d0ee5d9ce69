// EXPECT: false unreach-call LP64 UNKNOWN-OK
// INPUTS:
#include <stdlib.h>

extern void reach_error(void);

/* Some pairs have no result: glibc never compares them here, but an insertion sort does. */
static int descending_only(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    int is_bad = x < y || (x == 4 && y <= 2);
    return (x - y) / (is_bad ? 0 : 1);
}

int main(void) {
    int a[4] = {4, 3, 2, 1};
    qsort(a, 4, sizeof a[0], descending_only);
    if (a[0] == 1)
        reach_error();
    return 0;
}
