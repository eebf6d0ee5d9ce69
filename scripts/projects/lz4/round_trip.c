// EXPECT: true
// FILES: lib/lz4.c
// OPTIONS: -Ilib
/* Any four bytes come back. */
#include "lz4.h"
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
    char text[4], packed[24], back[4];
    for (int i = 0; i < 4; i++)
        text[i] = __VERIFIER_nondet_char();
    int n = LZ4_compress_default(text, packed, 4, sizeof packed);
    if (n <= 0 || LZ4_decompress_safe(packed, back, n, 4) != 4)
        reach_error();
    for (int i = 0; i < 4; i++)
        if (back[i] != text[i])
            reach_error();
    return 0;
}
