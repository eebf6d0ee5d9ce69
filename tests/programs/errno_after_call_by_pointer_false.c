// EXPECT: false unreach-call LP64 UNKNOWN-OK
// The logarithm of a negative number sets errno, also if it is called through a pointer.
#include <errno.h>
#include <math.h>
extern void reach_error(void);
static double (*volatile f)(double) = log;

int main(void) {
    errno = 0;
    volatile double r = f(-1.0);
    if (errno)
        reach_error();
    return 0;
}
