// EXPECT: true
// FILES: printf.c
// OPTIONS: -I. -DPRINTF_DISABLE_SUPPORT_FLOAT
/* %d of any byte has the digits of the number. */
#include "printf.h"
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
void _putchar(char character) {}

int main(void) {
    char text[8];
    unsigned char number = __VERIFIER_nondet_uchar();
    int n = snprintf(text, sizeof text, "%d", number), back = 0;
    for (int i = 0; i < n; i++)
        back = 10 * back + (text[i] - '0');
    if (back != number || text[n] != '\0')
        reach_error();
    return 0;
}
