// EXPECT: false
// FILES: printf.c
// OPTIONS: -I. -DPRINTF_DISABLE_SUPPORT_FLOAT
/* Three characters are not enough for every byte. */
#include "printf.h"
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
void _putchar(char character) {}

int main(void) {
    char text[8];
    if (snprintf(text, 3, "%u", (unsigned)__VERIFIER_nondet_uchar()) >= 3)
        reach_error();
    return 0;
}
