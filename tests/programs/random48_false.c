// EXPECT: false unreach-call LP64
// NATIVE: no (a run cannot set the clock)
// The time is an input, and so is the first number that comes from it.
#include <stdlib.h>
#include <time.h>

extern void reach_error(void);

int main(void) {
    srand48(time(NULL));
    double first = drand48();
    if (first > 0.25 && first < 0.5)
        reach_error();
    return 0;
}
