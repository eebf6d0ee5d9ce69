// EXPECT: false unreach-call LP64
// A pointer from outside may carry a tag in its upper bits.
#include <stdint.h>
extern void *load(void);
extern void reach_error(void);
int main(void) {
    uintptr_t bits = (uintptr_t)load();
    if (bits >> 56 == 0x12)
        reach_error();
    return 0;
}
