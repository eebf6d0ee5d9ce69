// EXPECT: true unreach-call LP64
// ASSUMES: with whose address the program computes, lies between 0x1000 and 0x800000000000
// ASSUMES: memory allocation (malloc, new, ...) never fails, also not for 0 bytes
// ASSUMES: with whose addresses the program computes, lie at multiples of 16, however small they are
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    char *block = malloc(3);
    if ((uintptr_t)block & 8)
        reach_error();
    return 0;
}
