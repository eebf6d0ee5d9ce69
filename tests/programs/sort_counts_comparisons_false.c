// EXPECT: false unreach-call LP64 UNKNOWN-OK
// INPUTS:
#include <stdlib.h>

extern void reach_error(void);

static int comparisons;

static int ascending(const void *a, const void *b) {
    comparisons++;
    return *(const int *)a - *(const int *)b;
}

/* How often a library compares is its own business. */
int main(void) {
    int a[4] = {4, 1, 3, 2};
    qsort(a, 4, sizeof a[0], ascending);
    if (comparisons != 4)
        reach_error();
    return 0;
}
