// EXPECT: false unreach-call LP64 UNKNOWN-OK
// INPUTS:
// NATIVE: no (whether the time zone has a file)
#include <errno.h>
#include <time.h>

extern void reach_error(void);

int main(void) {
    time_t now = 0;
    errno = 0;
    localtime(&now);
    if (errno == ENOENT)
        reach_error();
    return 0;
}
