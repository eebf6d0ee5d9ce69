// EXPECT: false
// FILES: tinyexpr.c
// OPTIONS: -I.
/* Some two digits have the sum 13. */
#include "tinyexpr.h"
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    char text[4] = {'0' + __VERIFIER_nondet_uchar() % 10, '+', '0' + __VERIFIER_nondet_uchar() % 10, '\0'};
    if (te_interp(text, 0) == 13)
        reach_error();
    return 0;
}
