// EXPECT: true
// FILES: tinyexpr.c
// OPTIONS: -I.
/* Known expressions. */
#include "tinyexpr.h"
extern void reach_error(void);

int main(void) {
    int error;
    if (te_interp("2+3*(4-1)", &error) != 11 || error != 0)
        reach_error();
    if (te_interp("(2", &error) == 2 || error != 2)
        reach_error();
    return 0;
}
