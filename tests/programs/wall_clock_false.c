// EXPECT: false unreach-call LP64
// NATIVE: no (a run cannot set the clock)
#include <time.h>
extern void reach_error(void);
int main(void) {
    struct timespec before, after;
    if (clock_gettime(CLOCK_REALTIME, &before) || clock_gettime(CLOCK_REALTIME, &after))
        return 0;
    if (after.tv_sec < before.tv_sec)
        reach_error();
    return 0;
}
