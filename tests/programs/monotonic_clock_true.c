// EXPECT: true unreach-call LP64
#include <time.h>
extern void reach_error(void);
int main(void) {
    struct timespec before, after;
    if (clock_gettime(CLOCK_MONOTONIC, &before) || clock_gettime(CLOCK_MONOTONIC, &after))
        return 0;
    if (after.tv_sec < before.tv_sec || (after.tv_sec == before.tv_sec && after.tv_nsec < before.tv_nsec))
        reach_error();
    clock_t begin = clock(), end = clock();
    if (end != (clock_t)-1 && end < begin)
        reach_error();
    return 0;
}
