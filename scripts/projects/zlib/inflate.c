// EXPECT: true
// FILES: adler32.c crc32.c inflate.c inftrees.c inffast.c uncompr.c zutil.c
// OPTIONS: -I.
/* A known compressed text of fixed codes. */
#include "zlib.h"
extern void reach_error(void);

int main(void) {
    static const Bytef packed[] = {0x78, 0x9c, 0x4b, 0x4c, 0x4a, 0x06, 0x00, 0x02, 0x4d, 0x01, 0x27};
    Bytef text[8];
    uLongf length = sizeof text;
    if (uncompress(text, &length, packed, sizeof packed) != Z_OK || length != 3 || text[0] != 'a' || text[2] != 'c')
        reach_error();
    return 0;
}
