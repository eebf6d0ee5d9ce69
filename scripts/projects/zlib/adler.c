// EXPECT: true
// FILES: adler32.c
// OPTIONS: -I.
/* The checksum of "Wikipedia". */
#include "zlib.h"
extern void reach_error(void);

int main(void) {
    if (adler32(1, (const Bytef *)"Wikipedia", 9) != 0x11e60398)
        reach_error();
    return 0;
}
