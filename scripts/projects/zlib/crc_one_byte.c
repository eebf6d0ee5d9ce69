// EXPECT: true
// FILES: crc32.c
// OPTIONS: -I.
/* Two different bytes have different checksums. */
#include "zlib.h"
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    Bytef one = __VERIFIER_nondet_uchar(), two = __VERIFIER_nondet_uchar();
    if (one != two && crc32(0, &one, 1) == crc32(0, &two, 1))
        reach_error();
    return 0;
}
