// EXPECT: true
// FILES: heatshrink_encoder.c heatshrink_decoder.c
// OPTIONS: -I.
/* Any two bytes come back. */
#include "heatshrink_decoder.h"
#include "heatshrink_encoder.h"
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    heatshrink_encoder *encoder = heatshrink_encoder_alloc(4, 3);
    heatshrink_decoder *decoder = heatshrink_decoder_alloc(8, 4, 3);
    uint8_t text[2] = {__VERIFIER_nondet_uchar(), __VERIFIER_nondet_uchar()}, packed[8], back[8];
    size_t n, length;
    heatshrink_encoder_sink(encoder, text, 2, &n);
    heatshrink_encoder_finish(encoder);
    heatshrink_encoder_poll(encoder, packed, 8, &length);
    if (length < 1 || length > 3)
        reach_error();
    heatshrink_decoder_sink(decoder, packed, length, &n);
    heatshrink_decoder_poll(decoder, back, 8, &n);
    if (n != 2 || back[0] != text[0] || back[1] != text[1])
        reach_error();
    return 0;
}
