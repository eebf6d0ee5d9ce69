// EXPECT: true unreach-call LP64
// No program has memory there.
#include <stdint.h>
extern void reach_error(void);
static int x;
int main(void) {
    if ((uintptr_t)&x == 0x200000000000000)
        reach_error();
    return x;
}
