// EXPECT: false unreach-call LP64
// INPUTS:
// NATIVE: no (whether standard output takes it)
#include <stdio.h>

extern void reach_error(void);

int main(void) {
    if (puts("a") < 0)
        reach_error();
    return 0;
}
