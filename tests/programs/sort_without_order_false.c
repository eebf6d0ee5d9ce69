// EXPECT: false unreach-call LP64 UNKNOWN-OK
// NATIVE: no (what becomes of elements that have no order is the library's choice)
#include <stdlib.h>
extern void reach_error(void);
/* The difference overflows: the numbers come in a circle. */
static int compare(const void *a, const void *b) {
    return (int)(*(const unsigned *)a - *(const unsigned *)b);
}
int main(void) {
    int a[3] = {1000000000, -1000000000, -2000000000};
    qsort(a, 3, sizeof *a, compare);
    if (a[0] == -1000000000)
        reach_error();
    return 0;
}
