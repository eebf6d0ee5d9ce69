// EXPECT: false unreach-call LP64 UNKNOWN-OK
// NATIVE: no (the order is that of the C library)
#include <stdint.h>
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    if ((uintptr_t)stdout < (uintptr_t)stdin)
        reach_error();
    return 0;
}
