// EXPECT: false unreach-call LP64 UNKNOWN-OK
// INPUTS:
// NATIVE: no (another library than glibc)
#include <ctype.h>
#include <fenv.h>

extern void reach_error(void);

int main(void) {
    if ((isascii)('a') == 4 && fesetround(77) == 5)
        reach_error();
    return 0;
}
