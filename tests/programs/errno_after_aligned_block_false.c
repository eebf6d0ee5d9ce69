// EXPECT: false unreach-call LP64 UNKNOWN-OK
// INPUTS:
// POSIX leaves open whether posix_memalign sets errno when it fails; glibc does.
#include <errno.h>
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    void *p;
    errno = 0;
    int result = posix_memalign(&p, 16, -64ul);
    if (result != 0 && errno != 0)
        reach_error();
    return 0;
}
