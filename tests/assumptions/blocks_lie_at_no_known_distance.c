// EXPECT: true unreach-call LP64
// ASSUMES: no object begins at the address at which another one ends, or beyond it at a distance that the program tests for
// ASSUMES: memory allocation (malloc, new, ...) never fails, also not for 0 bytes
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    char *p = malloc(8), *q = malloc(8);
    if ((uintptr_t)q == (uintptr_t)p + 32)
        reach_error();
    return 0;
}
