// EXPECT: true
// FILES: heatshrink_decoder.c
// OPTIONS: -I.
/* Any two bytes: the decoder fills no more than it was given. */
#include "heatshrink_decoder.h"
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    heatshrink_decoder *decoder = heatshrink_decoder_alloc(8, 4, 3);
    uint8_t packed[2] = {__VERIFIER_nondet_uchar(), __VERIFIER_nondet_uchar()}, text[8];
    size_t n;
    if (heatshrink_decoder_sink(decoder, packed, 2, &n) != HSDR_SINK_OK || n != 2)
        reach_error();
    heatshrink_decoder_poll(decoder, text, 8, &n);
    if (n > 8)
        reach_error();
    return 0;
}
