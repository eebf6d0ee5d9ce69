// EXPECT: false unreach-call LP64
// INPUTS:
#include <time.h>

extern void reach_error(void);

/* The times do not fit a double, their difference does. */
int main(void) {
    if (difftime(9007199254740993, 1) == 9007199254740992.0)
        reach_error();
    return 0;
}
