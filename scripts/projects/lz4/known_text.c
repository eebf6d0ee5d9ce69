// EXPECT: true
// FILES: lib/lz4.c
// OPTIONS: -Ilib
/* A known text becomes shorter, and comes back. */
#include "lz4.h"
#include <string.h>
extern void reach_error(void);

int main(void) {
    const char *text = "abcdabcdabcdabcdabcdabcdabcdabcdabcdabcd!";
    char packed[80], back[48];
    int n = LZ4_compress_default(text, packed, 41, sizeof packed);
    if (n <= 0 || n >= 41)
        reach_error();
    if (LZ4_decompress_safe(packed, back, n, sizeof back) != 41 || memcmp(text, back, 41) != 0)
        reach_error();
    return 0;
}
