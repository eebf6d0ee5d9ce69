// EXPECT: false unreach-call LP64
// INPUTS:
#include <errno.h>
#include <time.h>

extern void reach_error(void);

int main(void) {
    struct timespec wanted = {0, 1000000000};
    if (nanosleep(&wanted, NULL) == -1 && errno == EINVAL)
        reach_error();
    return 0;
}
