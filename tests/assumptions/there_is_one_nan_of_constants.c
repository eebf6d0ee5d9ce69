// EXPECT: true unreach-call LP64
// ASSUMES: each operation on floating-point numbers that yields a NaN yields the same one, without a sign
#include <math.h>
extern void reach_error(void);
int main(void) {
    double r = fmod(1.0, 0.0);
    if (signbit(r))
        reach_error();
    return 0;
}
