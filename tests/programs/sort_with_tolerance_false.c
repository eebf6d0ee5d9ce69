// EXPECT: false unreach-call LP64 UNKNOWN-OK
// NATIVE: no (what becomes of elements that have no order is the library's choice)
#include <stdlib.h>
extern void reach_error(void);
/* Numbers are equal if they differ by one at most, so that equal ones are not equal to the same others. */
static int compare(const void *a, const void *b) {
    int difference = *(const int *)a - *(const int *)b;
    return difference > 1 ? 1 : difference < -1 ? -1 : 0;
}
int main(void) {
    int a[3] = {1, 2, 3};
    qsort(a, 3, sizeof *a, compare);
    if (a[0] == 3)
        reach_error();
    return 0;
}
