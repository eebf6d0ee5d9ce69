// EXPECT: true unreach-call LP64
// ASSUMES: memory allocation (malloc, new, ...) never fails, also not for 0 bytes
// ASSUMES: no object begins at the address at which another one ends
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    char *a = malloc(16), *b = malloc(16);
    if (a + 16 == b)
        reach_error();
    return 0;
}
