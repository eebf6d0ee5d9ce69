// EXPECT: false unreach-call LP64 UNKNOWN-OK
// A function may set errno although it succeeds [C11 7.5, 3].
#include <errno.h>
#include <stdlib.h>
extern void reach_error(void);
static int less(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
    int a[2] = {2, 1};
    errno = 0;
    qsort(a, 2, sizeof a[0], less);
    if (errno != 0)
        reach_error();
    return 0;
}
