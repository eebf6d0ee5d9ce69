// EXPECT: true unreach-call LP64
#include <stdlib.h>

extern void reach_error(void);

int main(void) {
    void *block = NULL;
    if (posix_memalign(&block, 4, 8) == 0)
        reach_error();
    if (posix_memalign(&block, 8, 8) == 0 && block == NULL)
        reach_error();
    return 0;
}
