/* Vector types: element-wise arithmetic, comparison, shuffles, loads and stores. */
#include "observe.h"

typedef int v4 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
typedef unsigned char b16 __attribute__((vector_size(16)));
static volatile int k = 3;

unsigned run(void) {
    unsigned h = 1;
    v4 a = {1, -2, 3, 4 * k}, b = {k, k + 1, -k, 7};
    v4 c = a * b + (a >> 1), d = a < b, e = __builtin_shufflevector(a, b, 3, 6, 0, 5);
    f4 f = __builtin_convertvector(a, f4) * 0.5f;
    b16 bytes = (b16)c;
    for (int i = 0; i < 4; i++)
        observe(h, c[i]), observe(h, d[i]), observe(h, e[i]), observe(h, (int)(f[i] * 8)), observe(h, bytes[i * 3]);
    a[k] = 99;
    v4 pick = (a & d) | (b & ~d);
    observe(h, a[3]), observe(h, pick[0]), observe(h, pick[k]), observe(h, bytes[k * 5]);
    int sums[64];
    for (int i = 0; i < 64; i++)
        sums[i] = i * k ^ (i << 3);
    int total = 0, most = 0;
    for (int i = 0; i < 64; i++) {
        total += sums[i] * i;
        most = sums[i] > most ? sums[i] : most;
    }
    observe(h, total), observe(h, most);
    return h;
}
