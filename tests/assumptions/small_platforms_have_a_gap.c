// EXPECT: true unreach-call ILP32
// ASSUMES: with whose address the program computes, lies between 0x1000 and 0xfffff000, but not between 0x60000000 and 0xb0000000
#include <stdint.h>
extern void reach_error(void);
int x;
int main(void) {
    if ((uintptr_t)&x >> 28 == 8)
        reach_error();
    return 0;
}
