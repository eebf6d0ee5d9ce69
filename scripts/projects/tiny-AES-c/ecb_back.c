// EXPECT: true
// FILES: aes.c
// OPTIONS: -I.
/* With a known key, a block with one unknown byte is decrypted to what it was. */
#include "aes.h"
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    static const uint8_t key[16] = {1, 2, 3, 4};
    uint8_t any = __VERIFIER_nondet_uchar();
    uint8_t block[16] = {any, 1, 2, 3};
    struct AES_ctx context;
    AES_init_ctx(&context, key);
    AES_ECB_encrypt(&context, block);
    AES_ECB_decrypt(&context, block);
    if (block[0] != any || block[3] != 3 || block[15] != 0)
        reach_error();
    return 0;
}
