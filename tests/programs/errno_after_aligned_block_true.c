// EXPECT: true unreach-call LP64
// posix_memalign says by its result alone that it failed: a block of more than PTRDIFF_MAX bytes is none.
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    void *p;
    if (posix_memalign(&p, 16, -64ul) == 0)
        reach_error();
    if (posix_memalign(&p, 4, 8) == 0)
        reach_error();
    return 0;
}
