// EXPECT: true unreach-call LP64
// ASSUMES: resizing a block to no bytes frees it and yields null
// ASSUMES: malloc and its kin never fail
// ASSUMES: each access to memory is valid: in bounds of a live object from whose address its pointer was computed
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    char *p = malloc(1);
    if (realloc(p, 0))
        reach_error();
    return 0;
}
