// EXPECT: true unreach-call LP64
// A variable is aligned as it says, or as its type.
#include <stdint.h>
extern void reach_error(void);
static _Alignas(32) char wide[3];
static uint64_t plain;
int main(void) {
    plain = wide[0];
    if ((uintptr_t)wide % 32 != 0 || (uintptr_t)&plain % 8 != 0)
        reach_error();
    return 0;
}
