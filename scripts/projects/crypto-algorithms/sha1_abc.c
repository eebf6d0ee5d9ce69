// EXPECT: true
// FILES: sha1.c
// OPTIONS: -I.
/* The test vector "abc", in two pieces. */
#include "sha1.h"
extern void reach_error(void);

int main(void) {
    static const BYTE expected[4] = {0xa9, 0x99, 0x3e, 0x36};
    SHA1_CTX context;
    BYTE hash[SHA1_BLOCK_SIZE];
    sha1_init(&context);
    sha1_update(&context, (const BYTE *)"ab", 2);
    sha1_update(&context, (const BYTE *)"c", 1);
    sha1_final(&context, hash);
    for (int i = 0; i < 4; i++)
        if (hash[i] != expected[i])
            reach_error();
    return 0;
}
