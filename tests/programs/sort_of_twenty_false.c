// EXPECT: false unreach-call LP64
// Twenty known numbers, some of which are equal, are sorted.
#include <stdlib.h>
extern void reach_error(void);

static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

int main(void) {
    int a[20] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 35, 8, 97, 93, 23, 84, 62, 64, 33, 83, 27};
    qsort(a, 20, sizeof *a, compare);
    if (a[0] == 1 && a[1] == 1 && a[19] == 97)
        reach_error();
    return 0;
}
