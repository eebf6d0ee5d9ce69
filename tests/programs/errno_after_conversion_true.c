// EXPECT: true unreach-call LP64
// What strtol sets errno to is laid down.
#include <errno.h>
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    errno = 0;
    long n = strtol("17", NULL, 10);
    if (errno != 0 || n != 17)
        reach_error();
    return 0;
}
