// EXPECT: true
// FILES:
// OPTIONS: -I.
/* Any four bytes: the decoder advances by one to four, and what it accepts is a code point. */
#include "utf8.h"
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char bytes[4];
    uint32_t point;
    int error;
    for (int i = 0; i < 4; i++)
        bytes[i] = __VERIFIER_nondet_uchar();
    unsigned char *next = utf8_decode(bytes, &point, &error);
    if (next <= bytes || next > bytes + 4)
        reach_error();
    if (!error && (point > 0x10ffff || (point >= 0xd800 && point < 0xe000)))
        reach_error();
    if (!error && next == bytes + 2 && (point < 0x80 || point >= 0x800))
        reach_error();
    return 0;
}
