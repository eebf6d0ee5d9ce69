// EXPECT: false
// FILES: aes.c
// OPTIONS: -I.
/* The counter goes on: without setting it again, decryption yields something else. */
#include "aes.h"
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    static const uint8_t key[16] = {1, 2, 3, 4}, iv[16] = {9};
    uint8_t any = __VERIFIER_nondet_uchar(), text[16] = {any};
    struct AES_ctx context;
    AES_init_ctx_iv(&context, key, iv);
    AES_CTR_xcrypt_buffer(&context, text, 16);
    AES_CTR_xcrypt_buffer(&context, text, 16);
    if (text[0] != any)
        reach_error();
    return 0;
}
