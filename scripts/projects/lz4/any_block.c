// EXPECT: true
// FILES: lib/lz4.c
// OPTIONS: -Ilib
/* Any four bytes as a block: at most as much is decompressed as there is room for. */
#include "lz4.h"
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
    char packed[4], back[8];
    for (int i = 0; i < 4; i++)
        packed[i] = __VERIFIER_nondet_char();
    int n = LZ4_decompress_safe(packed, back, 4, 8);
    if (n > 8)
        reach_error();
    return 0;
}
