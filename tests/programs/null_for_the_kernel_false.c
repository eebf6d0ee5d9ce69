// EXPECT: false unreach-call LP64 UNKNOWN-OK
// The kernel refuses a null address where glibc does not write itself.
#include <stdio.h>
#include <time.h>

extern void reach_error(void);
extern struct timespec *place(void);

int main(void) {
    struct timespec *now = place();
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, now) == -1 && now == NULL)
        reach_error();
    if (now == NULL && popen(NULL, "r") != NULL)
        reach_error();
    return 0;
}
