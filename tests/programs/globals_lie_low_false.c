// EXPECT: false unreach-call ILP32
// NATIVE: no (where the object lies is the linker's choice)
#include <stdint.h>

extern void reach_error(void);

int x;

/* Programs for i386 begin at 0x8048000 or 0x56555000. */
int main(void) {
    uintptr_t a = (uintptr_t)&x;
    if (a < 0x60000000u && a >= 0x8048000u)
        reach_error();
    return 0;
}
