// EXPECT: false unreach-call LP64
// INPUTS:
// The canonical form of a signalling NaN is a quiet one.
#include <string.h>
extern void reach_error(void);
int main(void) {
    unsigned bits = 0x7fa00000, canonical;
    volatile float f;
    memcpy((void *)&f, &bits, sizeof bits);
    float g = __builtin_canonicalizef(f);
    memcpy(&canonical, &g, sizeof canonical);
    if (canonical != bits)
        reach_error();
    return 0;
}
