// EXPECT: false unreach-call LP64
// INPUTS: 33
// The mask of SSE2's comparison has a bit for each byte that is equal.
#include <emmintrin.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void) {
    unsigned char bytes[16];
    for (int i = 0; i < 16; i++)
        bytes[i] = 3 * i;
    __m128i keys = _mm_loadu_si128((__m128i *)bytes);
    if (_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_set1_epi8((char)__VERIFIER_nondet_uchar()), keys)) == 1 << 11)
        reach_error();
    return 0;
}
