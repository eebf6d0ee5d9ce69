// EXPECT: true unreach-call LP64 UNKNOWN-OK
#include <time.h>

extern void reach_error(void);

int main(void) {
    struct timespec now;
    if (clock_gettime(10, &now) == 0 || clock_gettime(99, &now) == 0)
        reach_error();
    return 0;
}
