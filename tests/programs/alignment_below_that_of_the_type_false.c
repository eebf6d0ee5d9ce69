// EXPECT: false unreach-call LP64
// INPUTS:
// NATIVE: no (where objects lie is not ours to choose)
// A packed structure need not be aligned as its only member.
#include <stdint.h>
extern void reach_error(void);
static struct __attribute__((packed)) {
    uint64_t value;
} packed;
int main(void) {
    packed.value = 1;
    if ((uintptr_t)&packed % 8 != 0)
        reach_error();
    return 0;
}
