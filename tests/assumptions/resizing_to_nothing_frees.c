// EXPECT: true unreach-call LP64
// ASSUMES: resizing a block to 0 bytes frees it and returns null
// ASSUMES: memory allocation (malloc, new, ...) never fails, also not for 0 bytes
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    char *p = malloc(1);
    if (realloc(p, 0))
        reach_error();
    return 0;
}
