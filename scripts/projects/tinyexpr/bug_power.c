// EXPECT: false
// FILES: tinyexpr.c
// OPTIONS: -I.
/* The sign binds more closely than the power: -2^2 is 4. */
#include "tinyexpr.h"
extern void reach_error(void);

int main(void) {
    if (te_interp("-2^2", 0) != -4)
        reach_error();
    return 0;
}
