// EXPECT: true unreach-call LP64
// ASSUMES: malloc and its kin never fail
#include <errno.h>
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    errno = 0;
    malloc(10);
    if (errno == ENOMEM)
        reach_error();
    return 0;
}
