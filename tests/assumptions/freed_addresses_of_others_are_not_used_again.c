// EXPECT: true unreach-call LP64
// ASSUMES: buffer is undefined
// ASSUMES: memory allocation (malloc, new, ...) never fails, also not for 0 bytes
// ASSUMES: free and realloc are given only null or blocks of the heap
// ASSUMES: no new block lies where one was freed or resized
// ASSUMES: an address that comes from outside
// ASSUMES: each memory access is valid
// A block that an undefined function allocated may be resized in place.
#include <stdlib.h>
extern void reach_error(void);
extern char *buffer(void);
int main(void) {
    char *old = buffer();
    char *new = realloc(old, 8);
    if (old == new)
        reach_error();
    return 0;
}
