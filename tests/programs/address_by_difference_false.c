// EXPECT: false unreach-call LP64
// INPUTS:
// NATIVE: no-sanitizers
// An address plus the difference of two addresses is that of the other object.
#include <stdint.h>
extern void reach_error(void);
int main(void) {
    int x = 0, y = 0;
    uintptr_t distance = (uintptr_t)&y - (uintptr_t)&x;
    *(int *)((uintptr_t)&x + distance) = 3;
    if (y == 3)
        reach_error();
    return 0;
}
