/* Widths, wrap-around, shifts, divisions, comparisons, bit-fields, conversions. */
#include "observe.h"

struct bits { unsigned a : 3; int b : 5; unsigned c : 17; long long d : 40; };
static volatile int minus_seven = -7;
static volatile unsigned char small = 200;
static volatile long long big = -123456789012345LL;

unsigned run(void) {
    unsigned h = 1;
    int n = minus_seven;
    observe(h, n / 2), observe(h, n % 3), observe(h, (unsigned)n / 3), observe(h, n >> 1), observe(h, (unsigned)n >> 3);
    observe(h, (signed char)small), observe(h, small * 3), observe(h, (short)(small * 300)), observe(h, ~small);
    observe(h, big / 1000), observe(h, big % 977), observe(h, big >> 13), observe(h, big << 5), observe(h, (int)big);
    struct bits s = {5, -3, 70000, big};
    s.a += 6, s.b -= 14, s.c *= 3, s.d += 1;
    observe(h, s.a), observe(h, s.b), observe(h, s.c), observe(h, s.d);
    for (int i = 0; i < 40; i++) {
        h = h * 31 + (i % 3 == 0 ? (unsigned)(big >> i) : small ^ i);
        n = (int)((unsigned)n * 13 + i);
        observe(h, n < 0), observe(h, (unsigned)n < 77u), observe(h, n == i), observe(h, n != -n), observe(h, n <= i);
    }
#ifdef __SIZEOF_INT128__
    __int128 w = (__int128)big * big + minus_seven;
    observe(h, w >> 64), observe(h, w / 12345), observe(h, w % 1000003), observe(h, (unsigned __int128)w >> 3), observe(h, w < 0);
#endif
    observe(h, __builtin_popcount((unsigned)n)), observe(h, __builtin_clz(small)), observe(h, __builtin_ctzll(big));
    observe(h, __builtin_bswap32(n)), observe(h, __builtin_bswap64(big)), observe(h, __builtin_bswap16(small * 77));
    int out;
    observe(h, __builtin_add_overflow(n, 2000000000, &out)), observe(h, out);
    observe(h, __builtin_mul_overflow(n, small, &out)), observe(h, out);
    observe(h, __builtin_sub_overflow((int)small, n, &out)), observe(h, out);
    unsigned uout;
    observe(h, __builtin_sub_overflow(3u, (unsigned)small, &uout)), observe(h, uout);
    observe(h, __builtin_rotateleft32(h, 7)), observe(h, __builtin_rotateright16((unsigned short)h, 3));
    _Bool flag = n & 4;
    observe(h, flag), observe(h, !flag), observe(h, flag + flag);
    observe(h, n > 5 && small > 3 || big == 2);
    return h;
}
