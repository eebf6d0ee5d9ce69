// EXPECT: true
// FILES: adler32.c crc32.c deflate.c trees.c compress.c inflate.c inftrees.c inffast.c uncompr.c zutil.c
// OPTIONS: -I.
/* A known text is compressed and comes back. */
#include "zlib.h"
#include <string.h>
extern void reach_error(void);

int main(void) {
    const char *text = "aaaaaaaaaabbbbbbbbbbaaaaaaaaaabbbbbbbbbb";
    Bytef packed[80], back[48];
    uLongf length = sizeof packed, size = sizeof back;
    if (compress(packed, &length, (const Bytef *)text, 40) != Z_OK || length >= 40)
        reach_error();
    if (uncompress(back, &size, packed, length) != Z_OK || size != 40 || memcmp(text, back, 40) != 0)
        reach_error();
    return 0;
}
