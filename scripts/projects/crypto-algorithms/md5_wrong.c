// EXPECT: false
// FILES: md5.c
// OPTIONS: -I.
/* The hash of "abc" does not begin with that of the empty text. */
#include "md5.h"
extern void reach_error(void);

int main(void) {
    MD5_CTX context;
    BYTE hash[MD5_BLOCK_SIZE];
    md5_init(&context);
    md5_update(&context, (const BYTE *)"abc", 3);
    md5_final(&context, hash);
    if (hash[0] != 0xd4)
        reach_error();
    return 0;
}
