// EXPECT: false unreach-call LP64 UNKNOWN-OK
// INPUTS:
#include <errno.h>
#include <string.h>

extern void reach_error(void);

int main(void) {
    char *first = strerror(ENOENT), *second = strerror(EPERM);
    if (first != second)
        reach_error();
    return 0;
}
