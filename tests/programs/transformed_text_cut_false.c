// EXPECT: false unreach-call LP64 UNKNOWN-OK
// INPUTS:
// NATIVE: no (another library than glibc)
#include <string.h>

extern void reach_error(void);

/* Where the text does not fit, the bytes are indeterminate. */
int main(void) {
    char to[4] = "xxx";
    if (strxfrm(to, "abcdef", 3) >= 3 && to[0] != 'a')
        reach_error();
    return 0;
}
