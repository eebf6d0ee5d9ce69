// EXPECT: true
// FILES: md5.c
// OPTIONS: -I.
/* A text has the same hash as a whole and in two pieces, wherever it is cut, and whatever its middle is. */
#include "md5.h"
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    BYTE text[4] = {'a', __VERIFIER_nondet_uchar(), __VERIFIER_nondet_uchar(), 'b'};
    unsigned cut = __VERIFIER_nondet_uchar() % 5;
    MD5_CTX whole, pieces;
    BYTE one[MD5_BLOCK_SIZE], two[MD5_BLOCK_SIZE];
    md5_init(&whole);
    md5_update(&whole, text, 4);
    md5_final(&whole, one);
    md5_init(&pieces);
    md5_update(&pieces, text, cut);
    md5_update(&pieces, text + cut, 4 - cut);
    md5_final(&pieces, two);
    for (int i = 0; i < MD5_BLOCK_SIZE; i++)
        if (one[i] != two[i])
            reach_error();
    return 0;
}
