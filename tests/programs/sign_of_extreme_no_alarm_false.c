// EXPECT: false unreach-call LP64 UNKNOWN-OK
// NATIVE: no (the sign of the zero is the library's choice)
#include <math.h>
extern void reach_error(void);
int main(void) {
    volatile double x = -0.0;
    if (signbit(fmax(x, 0.0)))
        reach_error();
    return 0;
}
