// EXPECT: true
// FILES: printf.c
// OPTIONS: -I. -DPRINTF_DISABLE_SUPPORT_FLOAT
/* %08x of any number has eight digits with its value. */
#include "printf.h"
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
void _putchar(char character) {}

int main(void) {
    char text[12];
    unsigned number = __VERIFIER_nondet_uint(), back = 0;
    if (snprintf(text, sizeof text, "%08x", number) != 8)
        reach_error();
    for (int i = 0; i < 8; i++)
        back = 16 * back + (unsigned)(text[i] <= '9' ? text[i] - '0' : text[i] - 'a' + 10);
    if (back != number)
        reach_error();
    return 0;
}
