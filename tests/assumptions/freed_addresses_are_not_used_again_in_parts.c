// EXPECT: true unreach-call LP64
// ASSUMES: no new block lies where one was freed or resized
// ASSUMES: memory allocation (malloc, new, ...) never fails, also not for 0 bytes
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    int *first = malloc(4);
    free(first);
    int *second = malloc(4);
    if (!(first < second) && !(first > second))
        reach_error();
    return 0;
}
