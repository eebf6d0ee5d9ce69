// EXPECT: true
// FILES:
// OPTIONS: -I.
/* Any byte, in hexadecimal digits with leading zeros, between texts. */
#define NANOPRINTF_IMPLEMENTATION
#include <string.h>
#include "nanoprintf.h"
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    static const char digits[] = "0123456789abcdef";
    unsigned char byte = __VERIFIER_nondet_uchar();
    char text[16], expected[] = "<0x..>";
    expected[3] = digits[byte >> 4];
    expected[4] = digits[byte & 15];
    if (npf_snprintf(text, sizeof text, "<0x%02x%s", byte, ">") != 6 || strcmp(text, expected) != 0)
        reach_error();
    return 0;
}
