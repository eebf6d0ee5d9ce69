// EXPECT: true unreach-call LP64
// ASSUMES: no object begins at the address at which another one ends, or farther behind it at a distance for which the program looks
// ASSUMES: malloc and its kin never fail
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    char *p = malloc(8), *q = malloc(8);
    if ((uintptr_t)q == (uintptr_t)p + 32)
        reach_error();
    return 0;
}
