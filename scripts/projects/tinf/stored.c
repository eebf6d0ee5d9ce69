// EXPECT: true
// FILES: src/tinflate.c
// OPTIONS: -Isrc
/* A stored block of any two bytes has these bytes; one byte less room is too small. */
#include "tinf.h"
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char packed[7] = {1, 2, 0, 0xfd, 0xff}, back[2];
    unsigned int n = 1;
    packed[5] = __VERIFIER_nondet_uchar();
    packed[6] = __VERIFIER_nondet_uchar();
    if (tinf_uncompress(back, &n, packed, 7) != TINF_BUF_ERROR)
        reach_error();
    n = 2;
    if (tinf_uncompress(back, &n, packed, 7) != TINF_OK || n != 2 || back[0] != packed[5] || back[1] != packed[6])
        reach_error();
    return 0;
}
