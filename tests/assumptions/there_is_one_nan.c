// EXPECT: true unreach-call LP64
// ASSUMES: each operation on floating-point numbers that yields a NaN yields the same one, without a sign
#include <string.h>
extern void reach_error(void);
int main(void) {
    double zero = 0, nan = zero / zero;
    unsigned long bits;
    memcpy(&bits, &nan, sizeof bits);
    if (bits >> 63)
        reach_error();
    return 0;
}
