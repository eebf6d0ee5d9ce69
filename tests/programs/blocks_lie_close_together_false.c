// EXPECT: false unreach-call LP64 UNKNOWN-OK
// Blocks of 24 bytes may lie 32 bytes apart, also where `realloc` needs their sizes.
// NATIVE: no (the distance depends on the allocator)
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    char *a = malloc(24), *b = malloc(24);
    if ((uintptr_t)b - (uintptr_t)a == 32)
        reach_error();
    a = realloc(a, 30);
    free(a);
    free(b);
    return 0;
}
