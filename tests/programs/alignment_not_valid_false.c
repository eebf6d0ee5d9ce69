// EXPECT: false unreach-call LP64
// INPUTS:
#include <errno.h>
#include <stdlib.h>

extern void reach_error(void);

int main(void) {
    void *block = NULL;
    if (posix_memalign(&block, 2, 8) == EINVAL && block == NULL)
        reach_error();
    return 0;
}
