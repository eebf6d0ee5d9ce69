// EXPECT: true unreach-call ILP32
// ASSUMES: with whose address the program computes, lies between 0x80000000 and 0xfffff000
#include <stdint.h>
extern void reach_error(void);
int x;
int main(void) {
    if ((uintptr_t)&x < 0x10000)
        reach_error();
    return 0;
}
