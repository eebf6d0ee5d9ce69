// EXPECT: false unreach-call LP64 UNKNOWN-OK
// NATIVE: no (which zero is returned is up to the library)
#include <math.h>

extern void reach_error(void);

/* C leaves open which of two zeros is the lesser one. */
int main(void) {
    double zero = 0;
    if (copysign(1, fmin(-zero, zero)) > 0 && copysign(1, fmax(zero, -zero)) < 0)
        reach_error();
    return 0;
}
