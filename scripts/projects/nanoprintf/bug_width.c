// EXPECT: false
// FILES:
// OPTIONS: -I.
/* A number of any width up to 9 may need more room than 6 characters, and the length says so. */
#define NANOPRINTF_IMPLEMENTATION
#include "nanoprintf.h"
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    char text[6];
    int n = npf_snprintf(text, sizeof text, "%*d", __VERIFIER_nondet_uchar() % 10, __VERIFIER_nondet_uchar());
    if (n == 8 && text[4] == ' ')
        reach_error();
    return 0;
}
