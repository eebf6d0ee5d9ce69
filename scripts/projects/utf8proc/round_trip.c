// EXPECT: true
// FILES: utf8proc.c
// OPTIONS: -I. -DUTF8PROC_STATIC
/* Any code point is encoded, and decoded to the same if it is valid. */
#include "utf8proc.h"
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int point = __VERIFIER_nondet_int(), back;
    unsigned char text[4];
    long n = utf8proc_encode_char(point, text);
    if ((n > 0) != (point >= 0 && point <= 0x10ffff))
        reach_error();
    if (utf8proc_codepoint_valid(point) && (utf8proc_iterate(text, n, &back) != n || back != point))
        reach_error();
    return 0;
}
