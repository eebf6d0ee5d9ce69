// EXPECT: true unreach-call LP64
// ASSUMES: each memory access is valid: within the bounds of a live object from whose address its pointer was computed
// ASSUMES: descending_only, which is passed to qsort, returns for any two elements, and orders them consistently
#include <stdlib.h>

extern void reach_error(void);

static int some;
static int *const weights[2] = {&some, 0};

/* An insertion sort compares pairs for which this divides by zero or follows a null pointer; glibc does not. */
static int descending_only(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    int is_bad = x < y || (x == 4 && y <= 2);
    return (x - y) / (is_bad ? 0 : 1) + *weights[is_bad];
}

int main(void) {
    int a[4] = {4, 3, 2, 1};
    qsort(a, 4, sizeof a[0], descending_only);
    if (a[0] == 1)
        reach_error();
    return 0;
}
