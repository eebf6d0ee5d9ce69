// EXPECT: true
// FILES: utf8proc.c
// OPTIONS: -I. -DUTF8PROC_STATIC
/* Of any four bytes, what is decoded is a valid code point that is encoded to the same bytes. */
#include <string.h>
#include "utf8proc.h"
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char text[4], back[4];
    int point;
    for (int i = 0; i < 4; i++)
        text[i] = __VERIFIER_nondet_uchar();
    long n = utf8proc_iterate(text, 4, &point);
    if (n > 0) {
        if (!utf8proc_codepoint_valid(point) || utf8proc_encode_char(point, back) != n || memcmp(text, back, n) != 0)
            reach_error();
    } else if (n != UTF8PROC_ERROR_INVALIDUTF8 || point != -1) {
        reach_error();
    }
    return 0;
}
