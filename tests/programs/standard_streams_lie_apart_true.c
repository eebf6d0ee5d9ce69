// EXPECT: true unreach-call LP64 UNKNOWN-OK
// Streams are as large as in glibc, or larger.
#include <stdint.h>
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    if ((uintptr_t)stdout - (uintptr_t)stdin == 20)
        reach_error();
    FILE *a = fopen("/dev/null", "r"), *b = fopen("/dev/null", "r");
    if (a && b && (uintptr_t)b - (uintptr_t)a == 32)
        reach_error();
    return 0;
}
