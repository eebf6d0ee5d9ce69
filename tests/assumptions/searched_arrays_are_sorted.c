// EXPECT: true unreach-call LP64
// ASSUMES: each memory access is valid: within the bounds of a live object from whose address its pointer was computed
// ASSUMES: difference, which is passed to bsearch, returns for any two elements (one of which may be the key), and the array is in its order
#include <stdlib.h>

extern void reach_error(void);

static int difference(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

/* Halving finds 2 in the middle; an implementation that divides at other places need not find it. */
int main(void) {
    int a[3] = {3, 2, 1}, key = 2;
    if (!bsearch(&key, a, 3, sizeof a[0], difference))
        reach_error();
    return 0;
}
