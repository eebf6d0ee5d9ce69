/* The functions of <math.h> that the front-end does not translate into operators of the term language (as it does sqrt, fabs,
 * floor, ceil, trunc, rint, nearbyint, round, copysign, fmin, fmax, fmod and fma). They are written once for the three widths,
 * in math_of_width.h. They do not set exception flags; that errno may be set is left to the front-end. Rounding is to nearest,
 * ties to even; a signalling NaN is treated as a quiet one. */
#include "kerf.h"

double fmod(double x, double y);
float fmodf(float x, float y);
long double fmodl(long double x, long double y);
double trunc(double x);
float truncf(float x);
long double truncl(long double x);
double rint(double x);
float rintf(float x);
long double rintl(long double x);
double round(double x);
float roundf(float x);
long double roundl(long double x);

/* The parts of a number: the significand without the leading bit, which only x87 stores; the biased exponent; the sign. */
struct parts {
    uint64_t fraction;
    unsigned exponent;
    int negative;
};

static struct parts parts(double x) {
    uint64_t bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    struct parts r = {bits & (((uint64_t)1 << 52) - 1), (unsigned)(bits >> 52) & 0x7ff, (int)(bits >> 63)};
    return r;
}

static double number(struct parts p) {
    uint64_t bits = (uint64_t)p.negative << 63 | (uint64_t)p.exponent << 52 | p.fraction;
    double x;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}

static struct parts partsf(float x) {
    uint32_t bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    struct parts r = {bits & 0x7fffff, bits >> 23 & 0xff, (int)(bits >> 31)};
    return r;
}

static float numberf(struct parts p) {
    uint32_t bits = (uint32_t)p.negative << 31 | (uint32_t)p.exponent << 23 | (uint32_t)p.fraction;
    float x;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}

/* The bytes of an x87 number: 8 of significand with its leading bit, 2 of sign and exponent. */
struct __attribute__((packed)) x87 {
    uint64_t significand;
    uint16_t sign_exponent;
};

static struct parts partsl(long double x) {
    struct x87 bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    struct parts r = {bits.significand & ~((uint64_t)1 << 63), bits.sign_exponent & 0x7fff, bits.sign_exponent >> 15};
    return r;
}

static long double numberl(struct parts p) {
    struct x87 bits = {p.fraction | (uint64_t)(p.exponent != 0) << 63, (uint16_t)(p.negative << 15 | (int)p.exponent)};
    long double x = 0;
    __builtin_memcpy(&x, &bits, sizeof bits);
    return x;
}

#define T double
#define NAME(name) name
#define ALIAS(name) __##name
#define FRACTION_BITS 52
#define EXPONENT_MAX 0x7ff
#define BIAS 1023
#define APPROX __kerf_approx_double
#define LARGEST __DBL_MAX__
#include "math_of_width.h"

#define T float
#define NAME(name) name##f
#define ALIAS(name) __##name##f
#define FRACTION_BITS 23
#define EXPONENT_MAX 0xff
#define BIAS 127
#define APPROX __kerf_approx_float
#define LARGEST __FLT_MAX__
#include "math_of_width.h"

#define T long double
#define NAME(name) name##l
#define ALIAS(name) __##name##l
#define FRACTION_BITS 63
#define EXPONENT_MAX 0x7fff
#define BIAS 16383
#define APPROX __kerf_approx_longdouble
#define LARGEST __LDBL_MAX__
#include "math_of_width.h"
