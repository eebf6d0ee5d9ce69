// EXPECT: true
// FILES: src/adler32.c
// OPTIONS: -Isrc
/* The checksum of any four bytes. */
#include "tinf.h"
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char data[4];
    unsigned a = 1, b = 0;
    for (int i = 0; i < 4; i++) {
        data[i] = __VERIFIER_nondet_uchar();
        a = (a + data[i]) % 65521;
        b = (b + a) % 65521;
    }
    if (tinf_adler32(data, 4) != (b << 16 | a))
        reach_error();
    return 0;
}
