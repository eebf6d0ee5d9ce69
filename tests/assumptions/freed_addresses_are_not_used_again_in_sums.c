// EXPECT: true unreach-call LP64
// ASSUMES: with whose addresses the program computes, lie at multiples of 16, however small they are
// ASSUMES: free and realloc are given only null or blocks of the heap, and each block only once
// ASSUMES: no new block lies where one was freed or resized
// ASSUMES: with whose address the program computes, lies between
// ASSUMES: memory allocation (malloc, new, ...) never fails, also not for 0 bytes
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    uintptr_t a = (uintptr_t)malloc(4);
    free((void *)a);
    uintptr_t b = (uintptr_t)malloc(4);
    if (1000 - a + b == 1000)
        reach_error();
    return 0;
}
