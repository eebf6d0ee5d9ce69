// EXPECT: true
// FILES: crc32.c
// OPTIONS: -I.
/* The checksum of "123456789". */
#include "zlib.h"
extern void reach_error(void);

int main(void) {
    if (crc32(0, (const Bytef *)"123456789", 9) != 0xcbf43926)
        reach_error();
    return 0;
}
