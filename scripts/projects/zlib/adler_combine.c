// EXPECT: true
// FILES: adler32.c
// OPTIONS: -I.
/* The checksums of two pieces give that of the whole, for any four bytes. */
#include "zlib.h"
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    Bytef text[4];
    for (int i = 0; i < 4; i++)
        text[i] = __VERIFIER_nondet_uchar();
    uLong one = adler32(1, text, 2), two = adler32(1, text + 2, 2);
    if (adler32_combine(one, two, 2) != adler32(1, text, 4))
        reach_error();
    return 0;
}
