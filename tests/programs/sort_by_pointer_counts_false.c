// EXPECT: false unreach-call LP64 UNKNOWN-OK
// NATIVE: no (how often qsort compares is up to the library)
// How often a sort compares is open, also if it is called through a pointer.
#include <stdlib.h>
extern void reach_error(void);
static int n;

static int compare(const void *a, const void *b) {
    n++;
    return *(const int *)a - *(const int *)b;
}

int main(void) {
    void (*volatile sort)(void *, size_t, size_t, int (*)(const void *, const void *)) = qsort;
    int a[2] = {2, 1};
    sort(a, 2, sizeof a[0], compare);
    if (n != 1)
        reach_error();
    return 0;
}
