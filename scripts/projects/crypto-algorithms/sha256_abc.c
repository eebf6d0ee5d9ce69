// EXPECT: true
// FILES: sha256.c
// OPTIONS: -I.
/* The test vector "abc". */
#include "sha256.h"
extern void reach_error(void);

int main(void) {
    static const BYTE expected[4] = {0xba, 0x78, 0x16, 0xbf};
    SHA256_CTX context;
    BYTE hash[SHA256_BLOCK_SIZE];
    sha256_init(&context);
    sha256_update(&context, (const BYTE *)"abc", 3);
    sha256_final(&context, hash);
    for (int i = 0; i < 4; i++)
        if (hash[i] != expected[i])
            reach_error();
    if (hash[31] != 0xad)
        reach_error();
    return 0;
}
