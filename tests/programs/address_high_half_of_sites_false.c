// EXPECT: false unreach-call LP64
// NATIVE: no (where objects lie is not ours to choose)
// Blocks of different allocation sites may lie close together: nothing separates their addresses by 4 GiB.
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    char *a = malloc(8), *b = malloc(24);
    if (!a || !b)
        return 0;
    if ((uintptr_t)a >> 32 == (uintptr_t)b >> 32)
        reach_error();
    return 0;
}
