// EXPECT: false library.spc LP64
// VIOLATED: freed twice
#include <stdlib.h>
static int less(const void *a, const void *b) {
    if (*(const int *)a == 7)
        free(malloc(3));
    return *(const int *)a - *(const int *)b;
}
int main(void) {
    int key = 7, a[2] = {1, 7};
    free(malloc(1));
    return bsearch(&key, a, 2, sizeof a[0], less) != NULL;
}
