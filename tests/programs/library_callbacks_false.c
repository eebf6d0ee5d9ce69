// EXPECT: false unreach-call LP64 UNKNOWN-OK
// A function of the C library without a model calls back: nothing may be concluded from what it does not change.
#include <stddef.h>

extern void reach_error(void);
extern void qsort_r(void *base, size_t n, size_t size, int (*compare)(const void *, const void *, void *), void *argument);

static int compare(const void *a, const void *b, void *calls) {
    (void)a;
    (void)b;
    ++*(int *)calls;
    return 0;
}

int main(void) {
    int numbers[] = {2, 1}, calls = 0;
    qsort_r(numbers, 2, sizeof numbers[0], compare, &calls);
    if (calls > 0) {
        reach_error();
    }
    return 0;
}
