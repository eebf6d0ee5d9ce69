// EXPECT: true unreach-call LP64
// Masks, shifts, packing, sums and shuffles by vector instructions, beside the same by loops.
#include <tmmintrin.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

static void check(int condition) {
    if (!condition)
        reach_error();
}

static int saturated(int value, int least, int most) { return value < least ? least : value > most ? most : value; }

__attribute__((target("ssse3"))) static void shuffles(void) {
    unsigned char bytes[16], order[16], shuffled[16];
    for (int i = 0; i < 16; i++) {
        bytes[i] = i * i;
        order[i] = i == 2 ? __VERIFIER_nondet_uchar() : 15 - i;
    }
    __m128i all = _mm_shuffle_epi8(_mm_loadu_si128((__m128i *)bytes), _mm_loadu_si128((__m128i *)order));
    _mm_storeu_si128((__m128i *)shuffled, all);
    check(shuffled[0] == 225 && shuffled[2] == (order[2] & 128 ? 0 : bytes[order[2] & 15]));
}

int main(void) {
    shuffles();
    unsigned char bytes[16], found = __VERIFIER_nondet_uchar(), others[16], packed[16];
    short words[8];
    int sums[4], first = -1;
    long distances[2];
    for (int i = 0; i < 16; i++) {
        bytes[i] = 3 * i;
        others[i] = i == 5 ? found : 20;
    }
    for (int i = 0; i < 8; i++)
        words[i] = i == 3 ? __VERIFIER_nondet_short() : 100 * i;
    __m128i keys = _mm_loadu_si128((__m128i *)bytes), all = _mm_loadu_si128((__m128i *)words);

    unsigned mask = _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_set1_epi8((char)found), keys));
    for (int i = 15; i >= 0; i--)
        if (bytes[i] == found)
            first = i;
    check(mask ? __builtin_ctz(mask) == first : first == -1);

    int by = (int)(__VERIFIER_nondet_uint() % 20);
    short left[8], right[8];
    _mm_storeu_si128((__m128i *)left, _mm_sll_epi16(all, _mm_cvtsi32_si128(by)));
    _mm_storeu_si128((__m128i *)right, _mm_srai_epi16(all, 3));
    check(left[3] == (by > 15 ? 0 : (short)((unsigned)words[3] << by)) && right[3] == words[3] >> 3);

    _mm_storeu_si128((__m128i *)packed, _mm_packus_epi16(all, all));
    check(packed[3] == saturated(words[3], 0, 255) && packed[11] == packed[3] && packed[2] == 200);
    _mm_storeu_si128((__m128i *)packed, _mm_packs_epi16(all, all));
    check((signed char)packed[3] == saturated(words[3], -128, 127));

    _mm_storeu_si128((__m128i *)sums, _mm_madd_epi16(all, _mm_set1_epi16(7)));
    check(sums[1] == 7 * (words[2] + words[3]));

    int distance = 0;
    for (int i = 0; i < 8; i++)
        distance += bytes[i] < others[i] ? others[i] - bytes[i] : bytes[i] - others[i];
    _mm_storeu_si128((__m128i *)distances, _mm_sad_epu8(keys, _mm_loadu_si128((__m128i *)others)));
    check(distances[0] == distance);
    return 0;
}
