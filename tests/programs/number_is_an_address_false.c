// EXPECT: false unreach-call LP64
// NATIVE: no (where objects lie is not ours to choose)
// An object may lie anywhere.
#include <stdint.h>
extern void reach_error(void);
static int x;
int main(void) {
    if ((uintptr_t)&x == 0x404028)
        reach_error();
    return x;
}
