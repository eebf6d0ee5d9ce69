// EXPECT: true
// FILES:
// OPTIONS: -I.
/* Any number of 16 bits is printed with the digits that it has; the room is kept. */
#define NANOPRINTF_IMPLEMENTATION
#include "nanoprintf.h"
extern void reach_error(void);
extern short __VERIFIER_nondet_short(void);

int main(void) {
    char text[8];
    short n = __VERIFIER_nondet_short();
    int length = npf_snprintf(text, sizeof text, "%d", n), value = 0;
    for (int i = n < 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9')
            reach_error();
        value = 10 * value + (text[i] - '0');
    }
    if (length < 1 || length > 6 || text[length] || (n < 0 ? text[0] != '-' || -value != n : value != n))
        reach_error();
    return 0;
}
