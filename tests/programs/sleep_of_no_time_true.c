// EXPECT: true unreach-call LP64
#include <time.h>

extern void reach_error(void);

int main(void) {
    struct timespec never = {-1, 0}, soon = {0, 999999999};
    if (nanosleep(&never, NULL) == 0 || nanosleep(&soon, NULL) != 0)
        reach_error();
    return 0;
}
