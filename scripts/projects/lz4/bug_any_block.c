// EXPECT: false
// FILES: lib/lz4.c
// OPTIONS: -Ilib
/* Some block of three bytes is decompressed to "ab". */
#include "lz4.h"
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
    char packed[3], back[8];
    for (int i = 0; i < 3; i++)
        packed[i] = __VERIFIER_nondet_char();
    if (LZ4_decompress_safe(packed, back, 3, 8) == 2 && back[0] == 'a' && back[1] == 'b')
        reach_error();
    return 0;
}
