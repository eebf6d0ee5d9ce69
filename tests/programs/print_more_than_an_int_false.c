// EXPECT: false unreach-call LP64 UNKNOWN-OK
// POSIX allows a failure for sizes above INT_MAX.
#include <limits.h>
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    char text[8];
    if (snprintf(text, (size_t)INT_MAX + 1, "ab") < 0)
        reach_error();
    return 0;
}
