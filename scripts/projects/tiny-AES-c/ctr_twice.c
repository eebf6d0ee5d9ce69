// EXPECT: true
// FILES: aes.c
// OPTIONS: -I.
/* In counter mode, the same operation encrypts and decrypts: any eight bytes. */
#include "aes.h"
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    static const uint8_t key[16] = {1, 2, 3, 4}, iv[16] = {9};
    uint8_t text[8], copy[8];
    struct AES_ctx context;
    for (int i = 0; i < 8; i++)
        copy[i] = text[i] = __VERIFIER_nondet_uchar();
    AES_init_ctx_iv(&context, key, iv);
    AES_CTR_xcrypt_buffer(&context, text, 8);
    AES_ctx_set_iv(&context, iv);
    AES_CTR_xcrypt_buffer(&context, text, 8);
    for (int i = 0; i < 8; i++)
        if (text[i] != copy[i])
            reach_error();
    return 0;
}
