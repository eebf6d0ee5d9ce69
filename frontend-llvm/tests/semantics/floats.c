/* Arithmetic, comparisons, conversions and functions of float, double and long double. */
#include "observe.h"
#include <math.h>

static volatile double a = 1.1, b = -3.75, zero = 0.0, huge = 1e308;
static volatile float f = 0.1f, g = 16777217.0f;
static volatile long double l = 2.5L;
static volatile int seven = 7;

static unsigned bits(double d) {
    union { double d; unsigned u[2]; } u = {d};
    return d != d ? 99 : u.u[0] * 31 + u.u[1];
}

unsigned run(void) {
    unsigned h = 1;
    observe(h, bits(a + b)), observe(h, bits(a * b)), observe(h, bits(a / b)), observe(h, bits(a - b)), observe(h, bits(-a));
    observe(h, bits(f)), observe(h, bits(g)), observe(h, bits(f * g)), observe(h, bits((double)(float)a)), observe(h, bits(huge * 10));
    observe(h, bits(zero / zero)), observe(h, bits(1 / zero)), observe(h, bits(-1 / zero)), observe(h, bits(b / huge / huge));
    observe(h, a < b), observe(h, a > b), observe(h, a == a), observe(h, zero / zero == zero / zero), observe(h, zero == -zero);
    observe(h, !(zero / zero < 1)), observe(h, isnan(zero / zero)), observe(h, isinf(1 / zero)), observe(h, signbit(b));
    observe(h, (int)b), observe(h, (int)(a * 1e6)), observe(h, (unsigned)(a * 3e9)), observe(h, (long long)(a * 1e15)), observe(h, (short)b);
    observe(h, (unsigned char)(a * 100)), observe(h, (unsigned long long)(a * 1e19));
    observe(h, bits(seven)), observe(h, bits((float)123456789)), observe(h, bits((double)0xFFFFFFFFFFFFFFFFull)), observe(h, bits(seven * 0.1f));
    observe(h, bits(sqrt(a))), observe(h, bits(fabs(b))), observe(h, bits(floor(b))), observe(h, bits(ceil(b))), observe(h, bits(trunc(b)));
    observe(h, bits(round(2.5))), observe(h, bits(rint(2.5 * a))), observe(h, bits(fmod(b, 1.5))), observe(h, bits(fmin(a, b)));
    observe(h, bits(fmax(a, zero / zero))), observe(h, bits(copysign(a, b))), observe(h, bits(sqrtf(f))), observe(h, bits(floorf(-f)));
    observe(h, bits((double)(l * l + a))), observe(h, (int)(l * 100)), observe(h, l > a), observe(h, (long long)(l * 1e10L));
    double sum = 0;
    for (int i = 1; i < 30; i++)
        sum += 1.0 / i * (i % 2 ? 1 : -1);
    observe(h, bits(sum));
    float fs = 0;
    for (int i = 1; i < 30; i++)
        fs += f / i;
    observe(h, bits(fs));
    return h;
}
