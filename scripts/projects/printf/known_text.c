// EXPECT: true
// FILES: printf.c
// OPTIONS: -I. -DPRINTF_DISABLE_SUPPORT_FLOAT
/* Known formats. */
#include "printf.h"
#include <string.h>
extern void reach_error(void);
void _putchar(char character) {}

int main(void) {
    char text[40];
    int n = snprintf(text, sizeof text, "%5d|%-4s|%04x|%c|%%|%+lld", -42, "ab", 0xbeu, 'z', 123456789012LL);
    if (n != 33 || strcmp(text, "  -42|ab  |00be|z|%|+123456789012") != 0)
        reach_error();
    return 0;
}
