// EXPECT: true unreach-call LP64
// ASSUMES: with whose address the program computes, lies between 0x1000 and 0x800000000000
#include <stdint.h>
extern void reach_error(void);
int x;
int main(void) {
    if ((uintptr_t)&x >> 47)
        reach_error();
    return 0;
}
