// EXPECT: false
// FILES: adler32.c
// OPTIONS: -I.
/* Some three bytes have a checksum of which both halves are the same. */
#include "zlib.h"
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    Bytef text[3];
    for (int i = 0; i < 3; i++)
        text[i] = __VERIFIER_nondet_uchar();
    uLong sum = adler32(1, text, 3);
    if (text[0] != 0 && (sum & 0xff) == ((sum >> 16) & 0xff))
        reach_error();
    return 0;
}
