// EXPECT: false unreach-call LP64 UNKNOWN-OK
// INPUTS:
// NATIVE: no-sanitizers
// Comparisons of pointers that are made of numbers find the address of a variable.
#include <stdint.h>
extern void reach_error(void);
int main(void) {
    int x = 0;
    uintptr_t found = 0;
    for (int bit = 46; bit >= 2; bit--) {
        uintptr_t next = found | 1ul << bit;
        if ((char *)next <= (char *)&x)
            found = next;
    }
    *(int *)found = 3;
    if (x == 3)
        reach_error();
    return 0;
}
