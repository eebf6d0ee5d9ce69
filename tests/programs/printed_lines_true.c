// EXPECT: true unreach-call LP64 UNKNOWN-OK
// glibc's puts returns the number of bytes.
#include <stdio.h>

extern void reach_error(void);

int main(void) {
    if (puts("a") == 77)
        reach_error();
    return 0;
}
