// EXPECT: true unreach-call LP64
// ASSUMES: memory allocation (malloc, new, ...) never fails, also not for 0 bytes
// ASSUMES: no new block lies where one was freed or resized
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    char *a = malloc(8);
    free(a);
    char *b = malloc(8);
    if (a == b)
        reach_error();
    return 0;
}
