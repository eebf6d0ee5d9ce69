// EXPECT: false unreach-call LP64 UNKNOWN-OK
// INPUTS:
#include <stdio.h>

extern void reach_error(void);

int main(void) {
    if (snprintf(0, 0, "%.6000f", 1.0) > 5000)
        reach_error();
    return 0;
}
