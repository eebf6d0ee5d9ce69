/* The functions of <math.h> for one width. Parameters: T, NAME(n) (n, nf or nl), ALIAS(n) (glibc's internal name),
 * FRACTION_BITS, EXPONENT_MAX (of NaN and infinity, biased), BIAS, APPROX (an arbitrary T) and LARGEST; all are undefined again
 * at the end. There is no include guard, because the file is included once per width. */

#define FINITE(x) ((x) >= -LARGEST && (x) <= LARGEST)
#define IS_NAN(x) ((x) != (x))
#define INFINITE ((T)__builtin_inf())

/* x with the sign of y. */
static T NAME(with_sign)(T x, T y) {
    struct parts p = NAME(parts)(x);
    p.negative = NAME(parts)(y).negative;
    return NAME(number)(p);
}

static T NAME(magnitude)(T x) {
    struct parts p = NAME(parts)(x);
    p.negative = 0;
    return NAME(number)(p);
}

/* Whether x is a signalling NaN. ISO C leaves open whether functions treat it like other NaNs where these do not matter. */
static int NAME(signals)(T x) {
    struct parts p = NAME(parts)(x);
    return IS_NAN(x) && (p.fraction >> (FRACTION_BITS - 1) & 1) == 0;
}

/* The NaN that a function yields for an argument outside its domain: of any sign, and with any payload. */
static T NAME(not_a_number)(void) {
    const uint64_t quiet = (uint64_t)1 << (FRACTION_BITS - 1);
    struct parts p = {((uint64_t)__kerf_approx_ulong() & (quiet - 1)) | quiet, EXPONENT_MAX, __kerf_approx_int() & 1};
    return NAME(number)(p);
}

/* 2 to the power n, if that is a normal number. */
static T NAME(power_of_two)(int n) {
    struct parts p = {0, (unsigned)(n + BIAS), 0};
    return NAME(number)(p);
}

/* Any number from low to high, or a NaN if x is one: the result of a function that is not computed. */
static T NAME(between)(T x, T low, T high) {
    T r = APPROX();
    if (IS_NAN(x))
        return x + x; // a quiet one
    __kerf_assume(r >= low && r <= high);
    return r;
}

/* Classification: exact, except that the value for "yes" is any but 0. */
int NAME(isnan)(T x) { return IS_NAN(x) ? any_but_zero(1) : 0; }
int NAME(isinf)(T x) { return x == INFINITE ? any_but_zero(1) : x == -INFINITE ? any_but_zero(-1) : 0; }
int NAME(finite)(T x) { return FINITE(x) ? any_but_zero(1) : 0; }
int ALIAS(isnan)(T x) { return IS_NAN(x) ? any_but_zero(1) : 0; }
int ALIAS(isinf)(T x) { return x == INFINITE ? any_but_zero(1) : x == -INFINITE ? any_but_zero(-1) : 0; }
int ALIAS(finite)(T x) { return FINITE(x) ? any_but_zero(1) : 0; }

/* Like the above; the typical value is the bit as glibc's functions return it. */
int ALIAS(signbit)(T x) {
    int bit = sizeof(long) == 4 ? 0x200 : sizeof(T) == 8 ? 0x80 : sizeof(T) == 4 ? 8 : 0x200;
    return NAME(parts)(x).negative ? any_but_zero(bit) : 0;
}

/* Exact, with glibc's numbers: NaN 0, infinite 1, zero 2, subnormal 3, normal 4. */
int ALIAS(fpclassify)(T x) {
    struct parts p = NAME(parts)(x);
    if (p.exponent == EXPONENT_MAX)
        return p.fraction == 0;
    return p.exponent != 0 ? 4 : p.fraction != 0 ? 3 : 2;
}

/* A NaN; with any payload if the text asks for one. */
T NAME(nan)(const char *payload) {
    if (*payload == 0 || !maybe())
        return (T)__builtin_nan("");
    struct parts p = {(uint64_t)__kerf_approx_ulong(), EXPONENT_MAX, 0};
    const uint64_t quiet = (uint64_t)1 << (FRACTION_BITS - 1);
    p.fraction = (p.fraction & (quiet - 1)) | quiet;
    return NAME(number)(p);
}

/* Exact. */
T NAME(fdim)(T x, T y) {
    if (IS_NAN(x) || IS_NAN(y))
        return x + y;
    return x > y ? x - y : 0;
}

/* Exact. */
T NAME(modf)(T x, T *whole) {
    *whole = NAME(trunc)(x);
    return NAME(with_sign)(x == *whole ? 0 : x - *whole, x);
}

/* The signed remainder, and the three low bits of the quotient's magnitude; subtraction of neighbouring numbers is exact. */
static T NAME(nearest_remainder)(T x, T y, unsigned *quotient) {
    *quotient = 0;
    if (IS_NAN(x) || IS_NAN(y))
        return x + y;
    if (!FINITE(x) || y == 0)
        return NAME(not_a_number)();
    T by = NAME(magnitude)(y);
    T r = NAME(magnitude)(x);
    if (by <= LARGEST / 8)
        r = NAME(fmod)(r, 8 * by);
    for (unsigned times = 4; times != 0; times /= 2)
        if (by <= LARGEST / times && r >= by * times) {
            r -= by * times;
            *quotient += times;
        }
    if (FINITE(y) && (*quotient % 2 == 0 ? r > by - r : r >= by - r)) {
        r -= by;
        *quotient += 1;
    }
    return NAME(parts)(x).negative ? -r : r;
}

/* Exact. */
T NAME(remainder)(T x, T y) {
    unsigned quotient;
    return NAME(nearest_remainder)(x, y, &quotient);
}

/* Like remainder. */
T NAME(drem)(T x, T y) {
    unsigned quotient;
    return NAME(nearest_remainder)(x, y, &quotient);
}

/* The quotient's three low bits are exact, as ISO C promises; typically the others are 0, and for a NaN the quotient is not
 * written. */
T NAME(remquo)(T x, T y, int *quotient) {
    unsigned q;
    T r = NAME(nearest_remainder)(x, y, &q);
    if (IS_NAN(r)) {
        if (otherwise())
            *quotient = __kerf_approx_int();
        return r;
    }
    q %= 8;
    if (maybe())
        q |= (unsigned)__kerf_approx_int() & (INT_MAX & ~7u);
    *quotient = NAME(parts)(x).negative != NAME(parts)(y).negative ? -(int)q : (int)q;
    return r;
}

/* x = result * 2^exponent with a result in [1/2, 1). */
static T NAME(split)(T x, int *exponent) {
    *exponent = 0;
    if (x == 0 || !FINITE(x))
        return x;
    struct parts p = NAME(parts)(x);
    if (p.exponent == 0) {
        p = NAME(parts)(x * NAME(power_of_two)(FRACTION_BITS + 1));
        *exponent = -(FRACTION_BITS + 1);
    }
    *exponent += (int)p.exponent - (BIAS - 1);
    p.exponent = BIAS - 1;
    return NAME(number)(p);
}

/* x * 2^n, rounded once. */
static T NAME(scale)(T x, long n) {
    int exponent;
    if (x == 0 || !FINITE(x))
        return x;
    T fraction = NAME(split)(x, &exponent);
    if (n > 4 * BIAS)
        n = 4 * BIAS;
    if (n < -4 * BIAS)
        n = -4 * BIAS;
    int total = exponent + (int)n;
    if (total > BIAS + 1)
        return NAME(with_sign)(INFINITE, x);
    if (total > BIAS)
        return fraction * 2 * NAME(power_of_two)(total - 1);
    if (total >= 2 - BIAS)
        return fraction * NAME(power_of_two)(total);
    if (total < -BIAS - FRACTION_BITS)
        total = -BIAS - FRACTION_BITS;
    return fraction * NAME(power_of_two)(total + FRACTION_BITS + 3) * NAME(power_of_two)(-FRACTION_BITS - 3);
}

/* Exact, except for the exponent of an infinity or NaN, which is typically 0. */
T NAME(frexp)(T x, int *exponent) {
    T fraction = NAME(split)(x, exponent);
    if (!FINITE(x) && maybe())
        *exponent = __kerf_approx_int();
    return fraction;
}

/* Exact. */
T NAME(ldexp)(T x, int n) { return NAME(scale)(x, n); }

/* Exact. */
T NAME(scalbn)(T x, int n) { return NAME(scale)(x, n); }

/* Exact. */
T NAME(scalbln)(T x, long n) { return NAME(scale)(x, n); }

/* Exact. */
T NAME(logb)(T x) {
    int exponent;
    if (x == 0)
        return -INFINITE;
    if (!FINITE(x))
        return x * x;
    NAME(split)(x, &exponent);
    return (T)(exponent - 1);
}

/* Exact, with glibc's values for 0, infinities and NaN. */
int NAME(ilogb)(T x) {
    int exponent;
    if (x == 0 || IS_NAN(x))
        return INT_MIN;
    if (!FINITE(x))
        return INT_MAX;
    NAME(split)(x, &exponent);
    return exponent - 1;
}

/* Exact. */
T NAME(nextafter)(T x, T towards) {
    if (IS_NAN(x) || IS_NAN(towards))
        return x + towards;
    if (x == towards)
        return towards;
    struct parts p = NAME(parts)(x);
    if (x == 0) {
        p.fraction = 1;
        p.negative = towards < 0;
    } else if ((x < towards) != p.negative) {
        p.fraction = (p.fraction + 1) & (((uint64_t)1 << FRACTION_BITS) - 1);
        p.exponent += p.fraction == 0;
    } else {
        p.exponent -= p.fraction == 0;
        p.fraction = (p.fraction - 1) & (((uint64_t)1 << FRACTION_BITS) - 1);
    }
    return NAME(number)(p);
}

/* A whole number as an integer. A number that does not fit gives an arbitrary one, as in C, typically the least. */
static long NAME(to_long)(T x) {
    if (x >= (T)LONG_MIN && x < -(T)LONG_MIN)
        return (long)x;
    return maybe() ? (long)__kerf_approx_ulong() : LONG_MIN;
}

static long long NAME(to_long_long)(T x) {
    if (x >= (T)LLONG_MIN && x < -(T)LLONG_MIN)
        return (long long)x;
    if (!maybe())
        return LLONG_MIN;
    unsigned long long high = (unsigned)__kerf_approx_int();
    return (long long)(high << 32 | (unsigned)__kerf_approx_int());
}

/* Rounding to integers: exact if the result fits. */
T NAME(roundeven)(T x) { return NAME(rint)(x); }
long NAME(lround)(T x) { return NAME(to_long)(NAME(round)(x)); }
long long NAME(llround)(T x) { return NAME(to_long_long)(NAME(round)(x)); }
long NAME(lrint)(T x) { return NAME(to_long)(NAME(rint)(x)); }
long long NAME(llrint)(T x) { return NAME(to_long_long)(NAME(rint)(x)); }

/* From here on, the functions are exact in the cases that ISO C's Annex F names, and otherwise give any value of their range. */

/* sin(+-0) = +-0, otherwise any number in [-1, 1]; an infinity gives NaN. */
T NAME(sin)(T x) { return x == 0 ? x : FINITE(x) ? NAME(between)(x, -1, 1) : x - x; }

/* cos(0) = 1, otherwise any number in [-1, 1]; an infinity gives NaN. */
T NAME(cos)(T x) { return x == 0 ? 1 : FINITE(x) ? NAME(between)(x, -1, 1) : x - x; }

/* tan(+-0) = +-0, otherwise any number; an infinity gives NaN. */
T NAME(tan)(T x) { return x == 0 ? x : FINITE(x) ? NAME(between)(x, -LARGEST, LARGEST) : x - x; }

/* Like sin and cos. */
void NAME(sincos)(T x, T *sine, T *cosine) {
    *sine = x == 0 ? x : FINITE(x) ? NAME(between)(x, -1, 1) : x - x;
    *cosine = x == 0 ? 1 : FINITE(x) ? NAME(between)(x, -1, 1) : x - x;
}

/* asin(+-0) = +-0, otherwise any number in [-1.6, 1.6]; NaN outside [-1, 1]. */
T NAME(asin)(T x) { return x == 0 ? x : x < -1 || x > 1 ? NAME(not_a_number)() : NAME(between)(x, (T)-1.6, (T)1.6); }

/* acos(1) = 0, otherwise any number in [0, 3.2]; NaN outside [-1, 1]. */
T NAME(acos)(T x) { return x == 1 ? 0 : x < -1 || x > 1 ? NAME(not_a_number)() : NAME(between)(x, 0, (T)3.2); }

/* atan(+-0) = +-0, otherwise any number in [-1.6, 1.6]. */
T NAME(atan)(T x) { return x == 0 ? x : NAME(between)(x, (T)-1.6, (T)1.6); }

/* Any number in [-3.2, 3.2]. */
T NAME(atan2)(T y, T x) { return NAME(between)(x + y == x + y ? 0 : x == x && y == y ? 0 : x + y, (T)-3.2, (T)3.2); }

/* sinh(x) = x for zeros and infinities, otherwise any number with the sign of x. */
T NAME(sinh)(T x) {
    return x == 0 || !FINITE(x) ? x : x < 0 ? NAME(between)(x, -INFINITE, 0) : NAME(between)(x, 0, INFINITE);
}

/* cosh(0) = 1, infinity for infinities, otherwise any number of at least 1. */
T NAME(cosh)(T x) { return x == 0 ? 1 : !FINITE(x) ? x * x : NAME(between)(x, 1, INFINITE); }

/* tanh(+-0) = +-0, +-1 for infinities, otherwise any number in [-1, 1]. */
T NAME(tanh)(T x) {
    return x == 0 ? x : x == INFINITE ? 1 : x == -INFINITE ? -1 : NAME(between)(x, -1, 1);
}

/* asinh(x) = x for zeros and infinities, otherwise any number. */
T NAME(asinh)(T x) { return x == 0 || !FINITE(x) ? x : NAME(between)(x, -LARGEST, LARGEST); }

/* acosh(1) = 0, NaN below 1, infinity for infinity, otherwise any number of at least 0. */
T NAME(acosh)(T x) { return x == 1 ? 0 : x < 1 ? NAME(not_a_number)() : !FINITE(x) ? x : NAME(between)(x, 0, LARGEST); }

/* atanh(+-0) = +-0, +-infinity for +-1, NaN outside [-1, 1], otherwise any number. */
T NAME(atanh)(T x) {
    if (x == 0)
        return x;
    if (x < -1 || x > 1)
        return NAME(not_a_number)();
    return x == 1 ? INFINITE : x == -1 ? -INFINITE : NAME(between)(x, -LARGEST, LARGEST);
}

/* The exact value for 0 and infinities, otherwise any number in [0, 1] for x < 0, and of at least 1 for x > 0. */
static T NAME(exponential)(T x) {
    return x == 0 ? 1 : x == -INFINITE ? 0 : x == INFINITE ? x : NAME(between)(x, x > 0 ? 1 : 0, x > 0 ? INFINITE : 1);
}

/* exp(0) = 1, exact for infinities, otherwise any number in [0, 1] for x < 0, and of at least 1 for x > 0. */
T NAME(exp)(T x) { return NAME(exponential)(x); }

/* Like exp, and exact if x is a whole number. */
T NAME(exp2)(T x) {
    if (x >= -BIAS - FRACTION_BITS && x <= BIAS && x == NAME(trunc)(x))
        return NAME(scale)(1, (long)x);
    return NAME(exponential)(x);
}

/* Like exp. */
T NAME(exp10)(T x) { return NAME(exponential)(x); }

/* expm1(+-0) = +-0, exact for infinities, otherwise any number of at least -1 with the sign of x. */
T NAME(expm1)(T x) {
    if (x == 0 || x == INFINITE)
        return x;
    return x == -INFINITE ? -1 : NAME(between)(x, x > 0 ? 0 : -1, x > 0 ? INFINITE : 0);
}

/* The exact value for 0, 1, infinity and negative numbers, otherwise any number: of at least 0 for x > 1, of at most 0 for x <
 * 1. */
static T NAME(logarithm)(T x) {
    if (x == 0)
        return -INFINITE;
    if (x < 0)
        return NAME(not_a_number)();
    if (x == 1)
        return 0;
    return x == INFINITE ? x : NAME(between)(x, x > 1 ? 0 : -LARGEST, x > 1 ? LARGEST : 0);
}

/* Exact for 0, 1, infinity and negative numbers, otherwise any number of the right sign. */
T NAME(log)(T x) { return NAME(logarithm)(x); }

/* Like log, and exact for powers of two. */
T NAME(log2)(T x) {
    int exponent;
    if (x > 0 && FINITE(x) && NAME(split)(x, &exponent) == (T)0.5)
        return (T)(exponent - 1);
    return NAME(logarithm)(x);
}

/* Like log. */
T NAME(log10)(T x) { return NAME(logarithm)(x); }

/* log1p(+-0) = +-0, exact for infinity and for numbers of at most -1, otherwise any number with the sign of x. */
T NAME(log1p)(T x) {
    if (x == 0 || x == INFINITE)
        return x;
    if (x < -1)
        return NAME(not_a_number)();
    return x == -1 ? -INFINITE : NAME(between)(x, x > 0 ? 0 : -LARGEST, x > 0 ? LARGEST : 0);
}

/* x^n for whole x and n >= 0 if all products are whole numbers below 2^(FRACTION_BITS + 1); 0 means "not computed". */
static T NAME(whole_power)(T x, T n) {
    const T limit = NAME(power_of_two)(FRACTION_BITS);
    T r = 1;
    if (!(n >= 0 && n <= FRACTION_BITS && n == NAME(trunc)(n)) || x == 0 || !FINITE(x) || x != NAME(trunc)(x))
        return 0;
    for (int i = (int)n; i > 0; i--) {
        r *= x;
        if (!(NAME(magnitude)(r) <= limit))
            return 0;
    }
    return r;
}

/* Exact for y = 0 and 1, x = 1, and whole numbers with a whole result; otherwise any number, which is not negative if x is not.
 * A square is typically x * x, rounded once. */
T NAME(pow)(T x, T y) {
    if (y == 0 || x == 1)
        return (NAME(signals)(x) || NAME(signals)(y)) && maybe() ? NAME(not_a_number)() : 1;
    if (IS_NAN(x) || IS_NAN(y))
        return x + y;
    if (y == 1)
        return x;
    T r = NAME(whole_power)(x, y);
    if (r != 0)
        return r;
    if (y == 2)
        return x == 0 || !FINITE(x) || !maybe() ? x * x : NAME(between)(0, 0, INFINITE);
    if (x < 0 && FINITE(x) && FINITE(y) && y != NAME(trunc)(y))
        return NAME(not_a_number)();
    return NAME(between)(0, x < 0 || NAME(parts)(x).negative ? -INFINITE : 0, INFINITE);
}

/* cbrt(x) = x for zeros and infinities, else any number of that sign, about between 1 and x: glibc rounds beyond them. */
T NAME(cbrt)(T x) {
    if (x == 0 || !FINITE(x))
        return x;
    T size = NAME(magnitude)(x);
    T low = size < 1 ? size : 1, high = size < 1 ? 1 : size;
    return NAME(with_sign)(NAME(between)(size, low * (T)0.9999, high * (T)1.0001), x);
}

/* Exact if x or y is 0 or infinite, otherwise any number of at least the larger magnitude. */
T NAME(hypot)(T x, T y) {
    T a = NAME(magnitude)(x), b = NAME(magnitude)(y);
    if (a == INFINITE || b == INFINITE)
        return (NAME(signals)(x) || NAME(signals)(y)) && maybe() ? NAME(not_a_number)() : INFINITE;
    if (a == 0 || b == 0 || IS_NAN(a) || IS_NAN(b))
        return a + b;
    return NAME(between)(0, a > b ? a : b, INFINITE);
}

/* erf(+-0) = +-0, +-1 for infinities, otherwise any number in [-1, 1]. */
T NAME(erf)(T x) { return x == 0 ? x : x == INFINITE ? 1 : x == -INFINITE ? -1 : NAME(between)(x, -1, 1); }

/* erfc(0) = 1, 0 and 2 for infinities, otherwise any number in [0, 2]. */
T NAME(erfc)(T x) { return x == 0 ? 1 : x == INFINITE ? 0 : x == -INFINITE ? 2 : NAME(between)(x, 0, 2); }

/* Any number or NaN. */
T NAME(tgamma)(T x) {
    (void)x;
    return APPROX();
}

/* Any number or NaN; signgam is not modelled. */
T NAME(lgamma)(T x) {
    (void)x;
    return APPROX();
}

#undef FINITE
#undef IS_NAN
#undef INFINITE
#undef T
#undef NAME
#undef ALIAS
#undef FRACTION_BITS
#undef EXPONENT_MAX
#undef BIAS
#undef APPROX
#undef LARGEST
