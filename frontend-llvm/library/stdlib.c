/* <stdlib.h>, <inttypes.h>: arithmetic, conversion of texts to numbers, sorting, random numbers, environment. */
#include "kerf.h"

typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;
typedef struct { long long quot, rem; } lldiv_t;

/* Exact; abs(INT_MIN), which is undefined in C, wraps around. */
int abs(int n) { return n < 0 ? (int)(0u - (unsigned)n) : n; }

/* Exact; labs(LONG_MIN), which is undefined in C, wraps around. */
long labs(long n) { return n < 0 ? (long)(0ul - (unsigned long)n) : n; }

/* Exact; llabs(LLONG_MIN), which is undefined in C, wraps around. */
long long llabs(long long n) { return n < 0 ? (long long)(0ull - (unsigned long long)n) : n; }

/* Exact; imaxabs(INTMAX_MIN), which is undefined in C, wraps around. */
intmax_t imaxabs(intmax_t n) { return n < 0 ? (intmax_t)((uintmax_t)0 - (uintmax_t)n) : n; }

/* Exact. */
div_t div(int n, int by) {
    div_t r = {n / by, n % by};
    return r;
}

/* Exact. */
ldiv_t ldiv(long n, long by) {
    ldiv_t r = {n / by, n % by};
    return r;
}

/* Exact. */
lldiv_t lldiv(long long n, long long by) {
    lldiv_t r = {n / by, n % by};
    return r;
}

static int is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static int is_digit(char c) { return c >= '0' && c <= '9'; }

/* The value of a digit in bases up to 36; 36 if it is no digit. */
static unsigned digit_value(char c) {
    if (is_digit(c))
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'z')
        return (unsigned)(c - 'a') + 10;
    if (c >= 'A' && c <= 'Z')
        return (unsigned)(c - 'A') + 10;
    return 36;
}

static const char *skip_space_and_sign(const char *s, int *negative) {
    while (is_space(*s))
        s++;
    *negative = *s == '-';
    return *s == '-' || *s == '+' ? s + 1 : s;
}

/* How a number may be written: before C23, or in C23, where the prefix 0b is allowed for bases 0 and 2. */
enum standard { OLDER, C23 };

/* The magnitude of the number at text, saturated at max_positive or max_negative according to its sign. */
static unsigned long long magnitude(const char *text, char **end, int base, enum standard standard,
                                    unsigned long long max_positive, unsigned long long max_negative, int *negative) {
    const char *s = skip_space_and_sign(text, negative);
    if (base < 0 || base == 1 || base > 36) {
        errno = NOT_VALID;
        // No standard says where the number ends then.
        if (end != NULL && otherwise())
            *end = (char *)text;
        return 0;
    }
    if ((base == 0 || base == 16) && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') && digit_value(s[2]) < 16) {
        s += 2;
        base = 16;
    } else if (standard == C23 && (base == 0 || base == 2) && s[0] == '0' && (s[1] == 'b' || s[1] == 'B') &&
               digit_value(s[2]) < 2) {
        s += 2;
        base = 2;
    } else if (base == 0) {
        base = *s == '0' ? 8 : 10;
    }
    unsigned long long max = *negative ? max_negative : max_positive;
    unsigned long long last = max / (unsigned)base;
    unsigned last_digit = (unsigned)(max % (unsigned)base);
    unsigned long long value = 0;
    int any = 0, over = 0;
    for (unsigned d; (d = digit_value(*s)) < (unsigned)base; s++) {
        any = 1;
        if (value > last || (value == last && d > last_digit))
            over = 1;
        else if (!over)
            value = value * (unsigned)base + d;
    }
    if (end != NULL)
        *end = (char *)(any ? s : text);
    // POSIX allows a function to set errno if there is no number.
    if (!any && __kerf_errno_is_read() && otherwise())
        errno = NOT_VALID;
    if (!over)
        return value;
    errno = OUT_OF_RANGE;
    return max;
}

static long to_long(const char *text, char **end, int base, enum standard standard) {
    int negative;
    unsigned long n =
        (unsigned long)magnitude(text, end, base, standard, LONG_MAX, (unsigned long)LONG_MAX + 1, &negative);
    return (long)(negative ? 0ul - n : n);
}

static long long to_long_long(const char *text, char **end, int base, enum standard standard) {
    int negative;
    unsigned long long n =
        magnitude(text, end, base, standard, LLONG_MAX, (unsigned long long)LLONG_MAX + 1, &negative);
    return (long long)(negative ? 0ull - n : n);
}

static unsigned long long to_unsigned(const char *text, char **end, int base, enum standard standard,
                                      unsigned long long max) {
    int negative;
    int before = errno;
    errno = 0;
    unsigned long long n = magnitude(text, end, base, standard, max, max, &negative);
    int saturated = errno == OUT_OF_RANGE;
    if (errno == 0)
        errno = before;
    return negative && !saturated ? 0ull - n : n;
}

/* Exact for the locale "C"; a number that does not fit, which is undefined in C, is truncated as glibc does. */
int atoi(const char *text) { return (int)to_long(text, NULL, 10, OLDER); }

/* Like atoi. */
long atol(const char *text) { return to_long(text, NULL, 10, OLDER); }

/* Like atoi. */
long long atoll(const char *text) { return to_long_long(text, NULL, 10, OLDER); }

/* Exact for the locale "C". */
long strtol(const char *text, char **end, int base) { return to_long(text, end, base, OLDER); }

/* Exact for the locale "C". */
long long strtoll(const char *text, char **end, int base) { return to_long_long(text, end, base, OLDER); }

/* Exact for the locale "C". */
intmax_t strtoimax(const char *text, char **end, int base) { return (intmax_t)to_long_long(text, end, base, OLDER); }

/* Exact for the locale "C". */
unsigned long strtoul(const char *text, char **end, int base) { return (unsigned long)to_unsigned(text, end, base, OLDER, ULONG_MAX); }

/* Exact for the locale "C". */
unsigned long long strtoull(const char *text, char **end, int base) { return to_unsigned(text, end, base, OLDER, ULLONG_MAX); }

/* Exact for the locale "C". */
uintmax_t strtoumax(const char *text, char **end, int base) { return (uintmax_t)to_unsigned(text, end, base, OLDER, ULLONG_MAX); }

/* The names of the same functions in newer headers, which read binary numbers ("0b1"), too. */
long __isoc23_strtol(const char *text, char **end, int base) { return to_long(text, end, base, C23); }
long long __isoc23_strtoll(const char *text, char **end, int base) { return to_long_long(text, end, base, C23); }
unsigned long __isoc23_strtoul(const char *text, char **end, int base) {
    return (unsigned long)to_unsigned(text, end, base, C23, ULONG_MAX);
}
unsigned long long __isoc23_strtoull(const char *text, char **end, int base) { return to_unsigned(text, end, base, C23, ULLONG_MAX); }

/* What a text says: digits * base^exponent, an infinity or no number; inexact if that does not say all of it. */
struct number {
    enum { FINITE, INFINITE, NOT_A_NUMBER } kind;
    unsigned long long digits;
    int base, exponent, negative, inexact;
};

/* Whether the text begins with these small letters, in either case. */
static int begins(const char *text, const char *letters) {
    for (; *letters != '\0'; text++, letters++)
        if ((*text | 0x20) != *letters)
            return 0;
    return 1;
}

/* The end of "inf", "infinity", "nan" or "nan(...)"; NULL if there is none of these. */
static const char *end_of_word(const char *s, struct number *r) {
    if (begins(s, "inf")) {
        r->kind = INFINITE;
        return s + (begins(s + 3, "inity") ? 8 : 3);
    }
    if (!begins(s, "nan"))
        return NULL;
    r->kind = NOT_A_NUMBER;
    s += 3;
    if (*s == '(') {
        const char *last = s + 1;
        while (digit_value(*last) < 36 || *last == '_')
            last++;
        if (*last == ')') {
            // Which number it is not, is left open.
            r->inexact = last != s + 1;
            return last + 1;
        }
    }
    return s;
}

/* The end of an exponent after its letter; `s` itself if there is none. */
static const char *end_of_exponent(const char *s, struct number *r) {
    const char *e = s + 1;
    int down = *e == '-', exponent = 0;
    if (*e == '-' || *e == '+')
        e++;
    if (!is_digit(*e))
        return s;
    for (; is_digit(*e); e++)
        if (exponent < 10000)
            exponent = exponent * 10 + (*e - '0');
    r->exponent += down ? -exponent : exponent;
    return e;
}

/* The end of a hexadecimal number after its "0x"; NULL if it has no digits. */
static const char *end_of_hexadecimal(const char *s, struct number *r) {
    int any = 0, seen_point = 0;
    for (unsigned d; (d = digit_value(*s)) < 16 || (*s == '.' && !seen_point); s++) {
        if (*s == '.') {
            seen_point = 1;
            continue;
        }
        any = 1;
        if (r->digits >> 60 != 0) {
            r->inexact = 1;
            continue;
        }
        r->digits = r->digits << 4 | d;
        r->exponent -= 4 * seen_point;
    }
    if (!any)
        return NULL;
    r->base = 2;
    return *s == 'p' || *s == 'P' ? end_of_exponent(s, r) : s;
}

/* The end of a decimal number; NULL if it has no digits. */
static const char *end_of_decimal(const char *s, struct number *r) {
    int any = 0, seen_point = 0;
    for (; is_digit(*s) || (*s == '.' && !seen_point); s++) {
        if (*s == '.') {
            seen_point = 1;
            continue;
        }
        any = 1;
        if (r->digits > (ULLONG_MAX - 9) / 10) {
            r->inexact = 1;
            continue;
        }
        r->digits = r->digits * 10 + (unsigned)(*s - '0');
        r->exponent -= seen_point;
    }
    if (!any)
        return NULL;
    return *s == 'e' || *s == 'E' ? end_of_exponent(s, r) : s;
}

static struct number number(const char *text, char **end) {
    struct number r = {FINITE, 0, 10, 0, 0, 0};
    const char *s = skip_space_and_sign(text, &r.negative);
    const char *last = end_of_word(s, &r);
    if (last == NULL && s[0] == '0' && (s[1] == 'x' || s[1] == 'X'))
        last = end_of_hexadecimal(s + 2, &r);
    if (last == NULL) {
        r.exponent = 0;
        last = end_of_decimal(s, &r);
    }
    if (end != NULL)
        *end = (char *)(last != NULL ? last : text);
    // POSIX allows a function to set errno if there is no number.
    if (last == NULL && __kerf_errno_is_read() && otherwise())
        errno = NOT_VALID;
    r.negative &= last != NULL;
    return r;
}

static double power_of_two(int n) {
    union {
        unsigned long long bits;
        double value;
    } power = {(unsigned long long)(n + 1023) << 52};
    return power.value;
}

/* A number that is not computed may be out of range. */
static void may_be_out_of_range(void) {
    if (__kerf_errno_is_read() && (__kerf_approx_int() & 1) != 0)
        errno = OUT_OF_RANGE;
}

/* One correctly rounded operation on two exactly represented numbers is correctly rounded: W. D. Clinger, "How to read floating
 * point numbers accurately", PLDI 1990. Other numbers are approximated. */
#define NUMBER_OF_TEXT(T, name, exact_digits, exact_power_of_ten)                                   \
    static T name(const char *text, char **end) {                                                   \
        struct number n = number(text, end);                                                        \
        int size = n.exponent < 0 ? -n.exponent : n.exponent;                                       \
        int is_exact = !n.inexact && n.digits <= (exact_digits) && size <= (n.base == 2 ? 100 : (exact_power_of_ten)); \
        T r = 0;                                                                                    \
        if (n.kind == INFINITE) {                                                                   \
            r = (T)__builtin_inf();                                                                 \
        } else if (n.kind == NOT_A_NUMBER && !n.inexact) {                                          \
            r = (T)__builtin_nan("");                                                               \
        } else if (n.kind == NOT_A_NUMBER) {                                                        \
            r = APPROX(T);                                                                          \
            __kerf_assume(r != r);                                                                  \
        } else if (n.digits != 0 && !is_exact) {                                                    \
            r = APPROX(T);                                                                          \
            __kerf_assume(r >= 0);                                                                  \
            may_be_out_of_range();                                                                  \
        } else if (n.digits != 0 && n.base == 2) {                                                  \
            r = (T)n.digits * (T)power_of_two(n.exponent);                                          \
        } else if (n.digits != 0) {                                                                 \
            T power = 1;                                                                            \
            for (int i = 0; i < size; i++)                                                          \
                power *= 10;                                                                        \
            r = n.exponent < 0 ? (T)n.digits / power : (T)n.digits * power;                         \
        }                                                                                           \
        return n.negative ? -r : r;                                                                 \
    }
#define APPROX(T) _Generic((T)0, float: __kerf_approx_float(), double: __kerf_approx_double(), long double: __kerf_approx_longdouble())
NUMBER_OF_TEXT(float, to_float, 1ull << 24, 10)
NUMBER_OF_TEXT(double, to_double, 1ull << 53, 22)
NUMBER_OF_TEXT(long double, to_long_double, ULLONG_MAX, 27)

/* Exact for up to 15 digits and powers of ten up to 22, for hexadecimal numbers of up to 13 digits and powers of two up to 100, and for
 * infinities and NaNs without a text of their own; otherwise any number of the same sign. */
double strtod(const char *text, char **end) { return to_double(text, end); }

/* Like strtod. */
double atof(const char *text) { return to_double(text, NULL); }

/* Exact for up to 7 digits and powers of ten up to 10; otherwise like strtod. */
float strtof(const char *text, char **end) { return to_float(text, end); }

/* Exact for up to 19 digits and powers of ten up to 27; otherwise like strtod. */
long double strtold(const char *text, char **end) { return to_long_double(text, end); }

struct __attribute__((packed)) word { unsigned value; };

struct __attribute__((packed)) pointer { void *value; };

static void swap(char *a, char *b, size_t size) {
    // As pointers, or else their targets would have to lie at the numbers that are swapped.
    if (size == sizeof(struct pointer)) {
        struct pointer *x = (struct pointer *)a, *y = (struct pointer *)b, kept = *x;
        *x = *y;
        *y = kept;
        return;
    }
    if (size % sizeof(struct word) == 0) {
        struct word *x = (struct word *)a, *y = (struct word *)b;
        for (size_t i = 0; i < size / sizeof(struct word); i++) {
            unsigned kept = x[i].value;
            x[i].value = y[i].value;
            y[i].value = kept;
        }
        return;
    }
    for (size_t i = 0; i < size; i++) {
        char kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

/* Whether any two elements are in the order of the comparison. If those that were sorted are not, each algorithm sorts in another way. If
 * they are, all algorithms that keep equal elements in their order (glibc's merge sort up to version 2.36) agree. With two elements
 * there is only one way. */
static int are_ordered(const char *first, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    for (size_t left = 0; left < count && count > 2; left++)
        for (size_t right = left + 1; right < count; right++)
            if (compare(first + left * size, first + right * size) > 0)
                return 0;
    return 1;
}

/* Whether equal elements of those in order are equal to the same others, which a comparison with a tolerance does not ensure. */
static int are_alike(const char *first, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    size_t begin = 0;
    for (size_t right = 1; right < count; right++) {
        if (compare(first + (right - 1) * size, first + right * size) != 0)
            begin = right;
        for (size_t left = 0; left < right; left++)
            if ((compare(first + left * size, first + right * size) == 0) != (left >= begin))
                return 0;
    }
    return 1;
}

/* Any permutation, on which no alarm rests. */
static void permute(char *first, size_t count, size_t size) {
    __kerf_assume((__kerf_approx_int() & 1) != 0);
    for (size_t i = 1; i < count; i++) {
        size_t other = __kerf_approx_ulong();
        __kerf_assume(other <= i);
        swap(first + i * size, first + other * size, size);
    }
}

/* Insertion sort. Elements that compare as equal may end up in any order, typically in their original one; if the comparison is no
 * order, all elements may, and no alarm rests on what this one does. How often and in which order elements are compared is unspecified;
 * if a comparison has effects, the front-end makes the call unsupported. */
void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    char *first = base;
    for (size_t sorted = 1; sorted < count; sorted++)
        for (char *at = first + sorted * size; at > first && compare(at - size, at) > 0; at -= size)
            swap(at - size, at, size);
    if (!are_ordered(first, count, size, compare)) {
        permute(first, count, size);
    } else if (maybe()) {
        if (!are_alike(first, count, size, compare)) {
            permute(first, count, size);
            return;
        }
        for (size_t sorted = 1; sorted < count; sorted++)
            for (char *at = first + sorted * size; at > first && compare(at - size, at) == 0 && maybe(); at -= size)
                swap(at - size, at, size);
    }
}

/* Returns any of several equal elements, typically the first one found by halving. If a comparison has effects, the front-end
 * takes into account that other comparisons may be made. */
void *bsearch(const void *key, const void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    if (count > 1 && maybe()) {
        size_t found = __kerf_approx_ulong();
        if (found < count && compare(key, (const char *)base + found * size) == 0)
            return (void *)((const char *)base + found * size);
    }
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const char *element = (const char *)base + middle * size;
        int order = compare(key, element);
        if (order == 0)
            return (void *)element;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

/* Exact: the first element that is equal; lsearch adds the key where there is none. */
static char *first_equal(const void *key, const void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    char *element = (char *)base;
    for (size_t i = 0; i < count; i++, element += size)
        if (compare(key, element) == 0)
            return element;
    return NULL;
}
void *lfind(const void *key, const void *base, size_t *count, size_t size, int (*compare)(const void *, const void *)) {
    return first_equal(key, base, *count, size, compare);
}
void *lsearch(const void *key, void *base, size_t *count, size_t size, int (*compare)(const void *, const void *)) {
    char *found = first_equal(key, base, *count, size, compare);
    if (found == NULL) {
        found = (char *)base + *count * size;
        __builtin_memcpy(found, key, size);
        ++*count;
    }
    return found;
}

/* Exchanges the bytes of each pair. POSIX leaves open what happens if the blocks overlap, but glibc also takes a block for itself, and what
 * becomes of a single last byte. */
void swab(const void *from, void *to, ptrdiff_t n) {
    const char *f = from;
    char *t = to;
    if (n > 1 && f != t)
        __kerf_apart(to, from, (size_t)n & ~(size_t)1);
    for (; n > 1; n -= 2, f += 2, t += 2) {
        char first = f[0];
        t[0] = f[1];
        t[1] = first;
    }
    if (n == 1 && otherwise())
        *t = (char)__kerf_approx_int();
}

/* The state of the generator of rand and random. Its numbers are computed from a seed, which is fixed at first. If the program takes
 * the time as seed, they are up to the environment; after a second start they may belong to a sequence of which parts were seen
 * before. */
static struct {
    int has_started, is_free;
} of_rand;

static void start(unsigned seed) {
    of_rand.is_free = !of_rand.has_started && __kerf_time_known && seed == __kerf_time;
    of_rand.has_started = 1;
}

static int random_number(void) {
    of_rand.has_started = 1;
    int n = of_rand.is_free ? __kerf_nondet_int() : __kerf_approx_int();
    __kerf_assume(n >= 0);
    return n;
}

/* Any number from 0 to RAND_MAX; that equal seeds give equal sequences is not modelled. */
int rand(void) { return random_number(); }

/* Like rand. */
long random(void) { return random_number(); }

/* Any number from 0 to RAND_MAX, and any new seed. */
int rand_r(unsigned *seed) {
    *seed = (unsigned)__kerf_approx_int();
    int n = __kerf_approx_int();
    __kerf_assume(n >= 0);
    return n;
}

/* The state of drand48 and its relatives, and whether the program has set it. */
static struct {
    unsigned long long state;
    int is_known;
} of_rand48;

/* The next state, of 48 bits, as POSIX defines it. What it is before srand48 is left open. */
static unsigned long long next48(void) {
    if (!of_rand48.is_known)
        of_rand48.state = (unsigned long long)(unsigned)__kerf_approx_int() << 32 | (unsigned)__kerf_approx_int();
    of_rand48.is_known = 1;
    return of_rand48.state = (of_rand48.state * 0x5deece66dull + 0xb) & 0xffffffffffffull;
}

/* Exact after srand48. */
long lrand48(void) { return (long)(next48() >> 17); }

/* Exact after srand48. */
long mrand48(void) { return (int)(unsigned)(next48() >> 16); }

/* Exact after srand48. */
double drand48(void) { return (double)next48() * 0x1p-48; }

/* The sequence restarts. */
void srand(unsigned seed) { start(seed); }
void srandom(unsigned seed) { start(seed); }

/* Exact. */
void srand48(long seed) {
    of_rand48.state = (unsigned long long)(unsigned)seed << 16 | 0x330e;
    of_rand48.is_known = 1;
}

/* Exact, up to the assumption on malloc. */
void *reallocarray(void *block, size_t count, size_t size) {
    size_t bytes;
    return __builtin_mul_overflow(count, size, &bytes) ? NULL : realloc(block, bytes);
}

static void *aligned(size_t alignment, size_t size) {
    void *block = malloc(size);
    if (alignment != 0 && (uintptr_t)block % alignment != 0)
        __kerf_unsupported("an alignment larger than malloc's");
    return block;
}

/* Exact for the alignments that malloc guarantees; others are unsupported. */
void *aligned_alloc(size_t alignment, size_t size) { return aligned(alignment, size); }

/* Like aligned_alloc. */
void *memalign(size_t alignment, size_t size) { return aligned(alignment, size); }

/* Aligned to a page. */
void *valloc(size_t size) { return aligned(4096, size); }

/* Like aligned_alloc; fails only for an invalid alignment. */
int posix_memalign(void **block, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0)
        return NOT_VALID;
    *block = aligned(alignment, size);
    return 0;
}

/* Texts that were returned earlier, with their sizes. */
static struct returned {
    char *text;
    size_t size;
} returned[4];

/* ISO C and POSIX allow calls of getenv and setenv to overwrite what getenv returned. */
static void texts_may_change(void) {
    if (!maybe())
        return;
    unsigned long which = __kerf_approx_ulong() & 3;
    if (returned[which].text != NULL)
        __kerf_approx_bytes(returned[which].text, returned[which].size - 1);
}

/* Names that were asked for or changed, as far as there is room. */
static char looked_up[4][24];
static unsigned n_looked_up;

/* Records a name, and returns whether it may have been recorded before. */
static int is_known(const char *name) {
    for (unsigned i = 0; i < n_looked_up; i++) {
        unsigned k = 0;
        while (looked_up[i][k] == name[k] && name[k] != 0)
            k++;
        if (looked_up[i][k] == name[k])
            return 1;
    }
    if (n_looked_up == sizeof looked_up / sizeof looked_up[0])
        return 1;
    for (unsigned k = 0; k < sizeof looked_up[0]; k++) {
        looked_up[n_looked_up][k] = name[k];
        if (name[k] == 0) {
            n_looked_up++;
            return 0;
        }
    }
    return 1;
}

static char *variable(const char *name) {
    switch (__kerf_environment_use()) {
    case ENVIRONMENT_CHANGED:
        __kerf_unsupported("getenv in a program that uses environ other than to read it");
        break;
    case ENVIRONMENT_READ:
        __kerf_assumption("what getenv returns is not a string that the program can reach through environ or main's third parameter");
    }
    int again = is_known(name);
    if (*name == 0)
        return NULL;
    texts_may_change();
    if (otherwise())
        return returned[__kerf_approx_ulong() & 3].text;
    // The system limits what a program gets, but not what it sets.
    size_t size = again ? __kerf_approx_ulong() : __kerf_nondet_ulong();
    size_t most = again ? LONG_MAX : 1 << 17;
    char *block = size == 0 || size > most ? NULL : __kerf_block(size + 15);
    if (block == NULL) {
        __kerf_delivery("variable", (size_t)name, NULL, 0, 0);
        return NULL;
    }
    // Texts of the environment are not aligned.
    char *text = block + (__kerf_nondet_ulong() & 15);
    if (again)
        __kerf_approx_bytes(text, size - 1);
    else
        __kerf_havoc(text, size - 1);
    text[size - 1] = 0;
    __kerf_delivery("variable", (size_t)name, text, size, 0);
    if (otherwise())
        returned[__kerf_approx_ulong() & 3] = (struct returned){text, size};
    return text;
}

/* NULL if there is no such variable, or any text, either new or returned earlier; another call may overwrite it. Neither the effect
 * of setenv nor the fact that equal names give equal texts is modelled. */
char *getenv(const char *name) { return variable(name); }

/* Like getenv. */
char *secure_getenv(const char *name) { return variable(name); }

/* Whether a variable of the environment can have that name. */
static int is_name(const char *name) {
    if (name == NULL || *name == 0)
        return 0;
    for (; *name != 0; name++)
        if (*name == '=')
            return 0;
    return 1;
}

/* The environment changes, or does not: getenv's result is arbitrary. 0, or -1 if the name is not valid. */
static int change_variable(const char *name) {
    if (!is_name(name)) {
        errno = NOT_VALID;
        return -1;
    }
    is_known(name);
    texts_may_change();
    may_set_errno();
    return 0;
}

/* -1 if the name is not valid or memory is short, otherwise 0. */
int setenv(const char *name, const char *value, int overwrite) {
    (void)overwrite;
    if (change_variable(name) != 0)
        return -1;
    look_into(value);
    if (maybe())
        return 0;
    errno = NO_MEMORY;
    return -1;
}

/* -1 if the name is not valid, otherwise 0. */
int unsetenv(const char *name) { return change_variable(name); }

/* Any status of a process, or -1; what the command does to files is covered by their arbitrary content. Without a command, whether there
 * is a shell. */
int system(const char *command) {
    may_set_errno();
    if (command == NULL)
        return maybe() ? any_but_zero(1) : 0;
    return any_status();
}

/* The functions that run at exit, the last one first. The front-end calls __kerf_run_atexit when main returns and in exit(). */
typedef void (*handler)(void);
static handler at_exit[32];
static unsigned n_at_exit;
static int destructors_may_run;

/* Exact for up to 32 functions, the number that ISO C guarantees; more are unsupported, and so is what a destructor registers: when
 * that runs, if at all, depends on the C library and on how the program was linked. */
int atexit(handler function) {
    if (destructors_may_run)
        __kerf_unsupported("atexit in a destructor");
    else if (n_at_exit >= sizeof at_exit / sizeof at_exit[0]) {
        __kerf_unsupported("more than 32 functions at exit");
        at_exit[n_at_exit - 1] = function; /* so that slices know of it */
    } else
        at_exit[n_at_exit++] = function;
    return 0;
}

/* Runs the functions registered with atexit. */
void __kerf_run_atexit(void) {
    while (n_at_exit > 0) {
        n_at_exit--;
        at_exit[n_at_exit]();
    }
    destructors_may_run = 1;
}
