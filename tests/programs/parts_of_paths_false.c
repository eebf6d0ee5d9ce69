// EXPECT: false unreach-call LP64
// The GNU version of basename does not drop slashes at the end.
#define _GNU_SOURCE
#include <string.h>

extern void reach_error(void);

int main(void) {
    if (*basename("usr/lib/") == 0)
        reach_error();
    return 0;
}
