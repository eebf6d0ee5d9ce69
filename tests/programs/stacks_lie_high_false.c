// EXPECT: false unreach-call ILP32
// NATIVE: no (where the object lies is the system's choice)
#include <stdint.h>

extern void reach_error(void);

/* A doubled address loses its highest bit if it has one. */
int main(void) {
    int x = 0;
    uintptr_t a = (uintptr_t)&x, twice = a * 2;
    if (twice / 2 != a)
        reach_error();
    return 0;
}
