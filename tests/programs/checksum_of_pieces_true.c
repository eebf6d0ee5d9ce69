// EXPECT: true unreach-call LP64
// Two sums, packed in one number, of a text in one piece and of two pieces that are combined. All sums are below the modulus, but only
// additions and unknown bytes say so.
#include <stdint.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

#define MODULUS 65521

static uint32_t checksum(const uint8_t *text, unsigned n) {
    uint32_t low = 1, high = 0;
    for (unsigned i = 0; i < n; i++) {
        low = (low + text[i]) % MODULUS;
        high = (high + low) % MODULUS;
    }
    return high << 16 | low;
}

static uint32_t combined(uint32_t first, uint32_t second, uint32_t n) {
    uint32_t low = (first & 0xffff) + (second & 0xffff) + MODULUS - 1;
    uint32_t high = (n * (first & 0xffff)) % MODULUS + (first >> 16) + (second >> 16) + MODULUS - n;
    return (high % MODULUS) << 16 | low % MODULUS;
}

int main(void) {
    uint8_t text[5];
    for (int i = 0; i < 5; i++)
        text[i] = __VERIFIER_nondet_uchar();
    if (combined(checksum(text, 2), checksum(text + 2, 3), 3) != checksum(text, 5))
        reach_error();
    return 0;
}
