// EXPECT: false unreach-call LP64
// INPUTS:
// After realloc, a pointer into the old block is moved by the distance of the blocks.
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    char *block = malloc(8);
    if (!block)
        return 0;
    char *p = block + 4;
    char *moved = realloc(block, 64);
    if (!moved)
        return 0;
    p += moved - block;
    *p = 5;
    if (moved[4] == 5)
        reach_error();
    return 0;
}
