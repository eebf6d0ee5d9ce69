// EXPECT: true
// FILES: printf.c
// OPTIONS: -I. -DPRINTF_DISABLE_SUPPORT_FLOAT
/* A short buffer is terminated, and nothing is written behind it. */
#include "printf.h"
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
void _putchar(char character) {}

int main(void) {
    char text[8] = "#######";
    unsigned size = 1 + __VERIFIER_nondet_uchar() % 6;
    if (snprintf(text, size, "%s%u", "abc", 12345u) != 8)
        reach_error();
    if (text[size - 1] != '\0' || text[size] != '#')
        reach_error();
    return 0;
}
