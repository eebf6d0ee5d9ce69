/* The scanf family of <stdio.h>: a stream yields arbitrary values, a text the values that it contains. */
#include "kerf.h"

extern FILE *stdin;
float strtof(const char *text, char **end);
double strtod(const char *text, char **end);
long double strtold(const char *text, char **end);

static int is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static int is_digit(char c) { return c >= '0' && c <= '9'; }

enum { SIZE_CHAR, SIZE_SHORT, SIZE_INT, SIZE_LONG, SIZE_LONG_LONG, SIZE_LONG_DOUBLE };

/* One conversion of a format: "%*10ld". */
struct conversion {
    int skipped, width, size; /* width 0: none */
    char letter;
};

/* Reads what follows the '%'; returns the position after the letter. */
static const char *read_conversion(const char *format, struct conversion *c) {
    c->skipped = *format == '*';
    if (c->skipped)
        format++;
    // A width that does not fit in an int limits nothing.
    c->width = 0;
    int is_too_large = 0;
    for (; is_digit(*format); format++) {
        int digit = *format - '0';
        is_too_large |= c->width > (INT_MAX - digit) / 10;
        c->width = is_too_large ? 0 : c->width * 10 + digit;
    }
    c->size = SIZE_INT;
    switch (*format) {
    case 'h':
        c->size = format[1] == 'h' ? SIZE_CHAR : SIZE_SHORT;
        format += format[1] == 'h' ? 2 : 1;
        break;
    case 'l':
        c->size = format[1] == 'l' ? SIZE_LONG_LONG : SIZE_LONG;
        format += format[1] == 'l' ? 2 : 1;
        break;
    case 'q':
    case 'j':
        c->size = SIZE_LONG_LONG;
        format++;
        break;
    case 'L':
        c->size = SIZE_LONG_DOUBLE;
        format++;
        break;
    case 'z':
    case 't':
        c->size = SIZE_LONG;
        format++;
        break;
    }
    c->letter = *format;
    if (c->letter == 'X')
        c->letter = 'x';
    if (c->size == SIZE_LONG && (c->letter == 'c' || c->letter == 's' || c->letter == '['))
        __kerf_unsupported("wide characters in a format of scanf");
    return *format == 0 ? format : format + 1;
}

static void store(void *to, int size, unsigned long long value) {
    switch (size) {
    case SIZE_CHAR:
        *(unsigned char *)to = (unsigned char)value;
        break;
    case SIZE_SHORT:
        *(unsigned short *)to = (unsigned short)value;
        break;
    case SIZE_INT:
        *(unsigned *)to = (unsigned)value;
        break;
    case SIZE_LONG:
        *(unsigned long *)to = (unsigned long)value;
        break;
    default:
        *(unsigned long long *)to = value;
    }
}

/* Any number of the given size; if the conversion has a width, only numbers that fit in it. With "%i" no other base gives a
 * greater number in the same width than ten does. */
static void store_any_integer(void *to, const struct conversion *c) {
    unsigned base = c->letter == 'x' ? 16 : c->letter == 'o' ? 8 : 10;
    /* The widths in which every number is less than 2^63: 10^18, 16^15 and 8^20. */
    int widest = base == 16 ? 15 : base == 8 ? 20 : 18;
    if (c->width > 0 && c->width <= widest) {
        long long above = 1;
        for (int i = 0; i < c->width; i++)
            above *= base;
        long long n = __kerf_nondet_longlong();
        __kerf_assume(n < above && n > -(above / base));
        store(to, c->size, (unsigned long long)n);
        return;
    }
    switch (c->size) {
    case SIZE_CHAR:
        *(unsigned char *)to = __kerf_nondet_uchar();
        break;
    case SIZE_SHORT:
        *(unsigned short *)to = (unsigned short)__kerf_nondet_uint();
        break;
    case SIZE_INT:
        *(unsigned *)to = __kerf_nondet_uint();
        break;
    case SIZE_LONG:
        *(unsigned long *)to = __kerf_nondet_ulong();
        break;
    default:
        *(unsigned long long *)to = __kerf_nondet_ulonglong();
    }
}

static void store_any_number(void *to, int size, int width) {
    // Which numbers can be written in a width is not modelled.
    if (width > 0 && size == SIZE_LONG_DOUBLE)
        *(long double *)to = __kerf_approx_longdouble();
    else if (width > 0 && size == SIZE_LONG)
        *(double *)to = __kerf_approx_double();
    else if (width > 0)
        *(float *)to = __kerf_approx_float();
    else if (size == SIZE_LONG_DOUBLE)
        *(long double *)to = __kerf_nondet_longdouble();
    else if (size == SIZE_LONG)
        *(double *)to = __kerf_nondet_double();
    else
        *(float *)to = __kerf_nondet_float();
}

/* A word of 1 to width characters, none of them white space; 0 is a character like any other. The result is their number. */
static size_t store_any_word(char *to, int width) {
    int n = 0;
    do {
        char c = (char)__kerf_nondet_uchar();
        __kerf_assume(!is_space(c));
        to[n++] = c;
    } while (n != width && maybe());
    to[n] = 0;
    return (size_t)n;
}

/* Arbitrary characters, for a set whose contents are ignored. */
static void store_any_of_set(char *to, int width) {
    size_t n = __kerf_approx_ulong();
    __kerf_assume(n > 0 && (width == 0 || n <= (size_t)width));
    __kerf_approx_bytes(to, n);
    to[n] = 0;
}

/* The position after the ']' of a set. */
static const char *skip_set(const char *format) {
    if (*format == '^')
        format++;
    if (*format == ']')
        format++;
    while (*format != 0 && *format != ']')
        format++;
    return *format == 0 ? format : format + 1;
}

/* The result if the input ends where something is wanted. If conversions were only skipped, glibc returns EOF, whereas ISO C
 * requires 0. */
static int ended(int stored, int converted) { return stored > 0 ? stored : converted && otherwise() ? 0 : END_OF_FILE; }

/* What was read is not known. */
__attribute__((KNOWS_STREAMS)) static void deliver_unknown(FILE *from) { __kerf_delivery("skipped", file_of(from), NULL, 0, 0); }

/* The integer that was stored comes next. */
__attribute__((KNOWS_STREAMS)) static void deliver_integer(FILE *from, const void *stored, const struct conversion *c) {
    int is_signed = c->letter == 'd' || c->letter == 'i';
    long long n;
    switch (c->size) {
    case SIZE_CHAR:
        n = is_signed ? (long long)*(const signed char *)stored : (long long)*(const unsigned char *)stored;
        break;
    case SIZE_SHORT:
        n = is_signed ? (long long)*(const short *)stored : (long long)*(const unsigned short *)stored;
        break;
    case SIZE_INT:
        n = is_signed ? (long long)*(const int *)stored : (long long)*(const unsigned *)stored;
        break;
    case SIZE_LONG:
        n = is_signed ? (long long)*(const long *)stored : (long long)*(const unsigned long *)stored;
        break;
    default:
        n = *(const long long *)stored;
    }
    __kerf_delivery("number", file_of(from), NULL, (unsigned long long)n, (unsigned char)c->letter | (unsigned long long)c->width << 8);
}

/* The number that was stored comes next: its bits, of a float (f) or a double (g). */
__attribute__((KNOWS_STREAMS)) static void deliver_number(FILE *from, const void *stored, int size, int width) {
    if (size == SIZE_LONG_DOUBLE)
        deliver_unknown(from);
    else if (size == SIZE_LONG)
        __kerf_delivery("number", file_of(from), NULL, *(const unsigned long long *)stored, 'g' | (unsigned long long)width << 8);
    else
        __kerf_delivery("number", file_of(from), NULL, *(const unsigned *)stored, 'f' | (unsigned long long)width << 8);
}

/* Whether the input does not continue as wanted. If so, *ends says whether it has ended, which is the only reason unless it can
 * differ from what is wanted (can_differ). */
__attribute__((KNOWS_STREAMS)) static int fails(FILE *from, int can_differ, int *ends) {
    *ends = 1;
    if (is_over(from))
        return 1;
    if (!maybe())
        return 0;
    if (can_differ && maybe()) {
        *ends = 0;
        __kerf_delivery("mismatch", file_of(from), NULL, 0, 0);
        may_see_end(from);
    } else {
        read_in_vain(from);
    }
    return 1;
}

/* Arbitrary input: before each conversion it may end or fail to match. */
__attribute__((KNOWS_STREAMS)) static int scan_any(FILE *from, const char *format, va_list rest) {
    int stored = 0, converted = 0, begun = 0, ends;
    if (has_pushed(from))
        __kerf_unsupported("scanf after ungetc");
    may_set_errno();
    while (*format != 0) {
        if (*format != '%') {
            if (is_space(*format)) {
                may_see_end(from);
                __kerf_delivery("blank", file_of(from), NULL, 0, 0);
            } else {
                if (fails(from, 1, &ends))
                    return ends ? ended(stored, converted) : stored;
                __kerf_delivery("literal", file_of(from), NULL, (unsigned char)*format, 0);
            }
            begun = 1;
            format++;
            continue;
        }
        struct conversion c;
        format = read_conversion(format + 1, &c);
        if (c.letter == '[')
            format = skip_set(format);
        if (c.letter == 'n') {
            if (!c.skipped)
                store(va_arg(rest, void *), c.size, begun ? (unsigned long long)(__kerf_approx_int() & INT_MAX) : 0);
            continue;
        }
        begun = 1;
        if (fails(from, c.letter != 'c' && c.letter != 's', &ends)) {
            // If several characters were wanted, those that were read may have been stored.
            if (c.letter == 'c' && c.width > 1 && !c.skipped && otherwise())
                __kerf_approx_bytes(va_arg(rest, void *), (size_t)c.width);
            return ends ? ended(stored, converted) : stored;
        }
        size_t wanted = c.width == 0 ? 1 : (size_t)c.width;
        size_t taken = wanted;
        if (c.letter == 'c' && wanted > 1 && otherwise()) {
            // glibc accepts fewer characters where the input ends; ISO C requires all of them.
            taken = __kerf_approx_ulong();
            __kerf_assume(taken > 0 && taken < wanted);
            read_in_vain(from);
        } else if (c.letter != 'c' && c.letter != '%') {
            may_see_end(from);
        }
        converted |= c.letter != '%';
        if (c.letter == '%') {
            __kerf_delivery("blank", file_of(from), NULL, 0, 0);
            __kerf_delivery("literal", file_of(from), NULL, '%', 0);
            continue;
        }
        if (c.skipped) {
            __kerf_delivery("skipped", file_of(from), NULL, 0, 0);
            continue;
        }
        void *to = va_arg(rest, void *);
        stored++;
        switch (c.letter) {
        case 'd':
        case 'i':
        case 'u':
        case 'x':
        case 'o':
            store_any_integer(to, &c);
            deliver_integer(from, to, &c);
            break;
        case 'e':
        case 'E':
        case 'f':
        case 'F':
        case 'g':
        case 'G':
        case 'a':
            store_any_number(to, c.size, c.width);
            deliver_number(from, to, c.size, c.width);
            break;
        case 'c':
            __kerf_havoc(to, taken);
            __kerf_delivery("bytes", file_of(from), to, taken, 0);
            break;
        case 's':
            __kerf_delivery("word", file_of(from), to, store_any_word(to, c.width), (unsigned)c.width);
            break;
        case '[':
            store_any_of_set(to, c.width);
            deliver_unknown(from);
            break;
        default:
            __kerf_unsupported("a conversion in a format of scanf");
            return stored;
        }
    }
    return stored;
}

static unsigned digit_value(char c) {
    return is_digit(c) ? (unsigned)(c - '0') : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
                       : c >= 'A' && c <= 'F'                       ? (unsigned)(c - 'A') + 10
                                                                    : 36;
}

/* Reads an integer of at most width characters; with has_binary, "%i" reads "0b1", too. Returns the position after it, or NULL. */
static const char *scan_integer(const char *s, const struct conversion *c, int has_binary, unsigned long long *value) {
    const char *stop = c->width == 0 ? NULL : s + c->width;
    int negative = *s == '-';
    unsigned base = c->letter == 'x' ? 16 : c->letter == 'o' ? 8 : 10;
    if (*s == '-' || *s == '+')
        s++;
    if (s != stop && s[0] == '0' && (c->letter == 'i' || c->letter == 'x')) {
        int hexadecimal = s + 1 != stop && (s[1] == 'x' || s[1] == 'X') && s + 2 != stop && digit_value(s[2]) < 16;
        if (!hexadecimal && s + 1 != stop && (s[1] == 'x' || s[1] == 'X'))
            __kerf_unsupported("0x without digits read by sscanf");
        int may_be_binary = has_binary && c->letter == 'i' && s + 1 != stop && (s[1] == 'b' || s[1] == 'B');
        if (may_be_binary && (s + 2 == stop || digit_value(s[2]) >= 2))
            __kerf_unsupported("0b without digits read by sscanf");
        base = hexadecimal ? 16 : may_be_binary ? 2 : c->letter == 'i' ? 8 : base;
        s += hexadecimal || may_be_binary ? 2 : 0;
    }
    int any = 0;
    unsigned long long n = 0;
    for (; s != stop && digit_value(*s) < base; s++) {
        any = 1;
        if (n > (ULLONG_MAX - 15) / 16)
            __kerf_unsupported("a number of more than 60 bits read by sscanf");
        n = n * base + digit_value(*s);
    }
    if (n > INT_MAX && c->size != SIZE_LONG_LONG && (c->size == SIZE_LONG ? n > LONG_MAX : sizeof(long) == 4))
        __kerf_unsupported("a number out of range read by sscanf");
    *value = negative ? 0ull - n : n;
    return any ? s : NULL;
}

/* Reads a floating-point number. Returns the position after it, or NULL. */
static const char *scan_floating(const char *s, const struct conversion *c, void *to) {
    const char *digits = s + (*s == '-' || *s == '+');
    if (c->width != 0)
        __kerf_unsupported("a floating-point number of limited width read by sscanf");
    if (*digits == 'i' || *digits == 'I' || *digits == 'n' || *digits == 'N')
        __kerf_unsupported("an infinity or a NaN read by sscanf");
    int hexadecimal = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    if (hexadecimal && digits[2] == '.' && digit_value(digits[3]) >= 16)
        __kerf_unsupported("0x without digits read by sscanf");
    char *end;
    float single = 0;
    double number = 0;
    long double extended = 0;
    if (c->size == SIZE_LONG_DOUBLE)
        extended = strtold(s, &end);
    else if (c->size == SIZE_LONG)
        number = strtod(s, &end);
    else
        single = strtof(s, &end);
    if (end == s || (hexadecimal && end == digits + 1))
        return NULL;
    // Of an exponent without digits, glibc takes the beginning; ISO C says that there is no number then.
    if (*end == (hexadecimal ? 'p' : 'e') || *end == (hexadecimal ? 'P' : 'E')) {
        if (otherwise())
            return NULL;
        end += end[1] == '-' || end[1] == '+' ? 2 : 1;
    }
    if (to != NULL && c->size == SIZE_LONG_DOUBLE)
        *(long double *)to = extended;
    else if (to != NULL && c->size == SIZE_LONG)
        *(double *)to = number;
    else if (to != NULL)
        *(float *)to = single;
    return end;
}

/* Whether a character is in the set that ends before the ']' at `stop`. */
static int is_in_set(const char *set, const char *stop, char c) {
    int negative = *set == '^';
    for (set += negative; set != stop; set++) {
        // The meaning of '-' is the implementation's: glibc takes it for a range, unless it is the first or the last, or there is none.
        if (stop - set > 2 && set[1] == '-' && (unsigned char)set[0] <= (unsigned char)set[2]) {
            if ((unsigned char)set[0] <= (unsigned char)c && (unsigned char)c <= (unsigned char)set[2])
                return !negative;
            set += 2;
        } else if (*set == c) {
            return !negative;
        }
    }
    return negative;
}

static int scan_text(const char *text, const char *format, va_list rest, int has_binary) {
    const char *s = text;
    may_set_errno();
    int stored = 0, converted = 0;
    while (*format != 0) {
        if (is_space(*format)) {
            while (is_space(*s))
                s++;
            format++;
            continue;
        }
        struct conversion c = {0, 0, SIZE_INT, 0};
        const char *set = NULL;
        char literal = *format++;
        if (literal == '%') {
            format = read_conversion(format, &c);
            set = format;
            if (c.letter == '[')
                format = skip_set(format);
            if (c.letter != 'c' && c.letter != '[' && c.letter != 'n')
                while (is_space(*s))
                    s++;
        }
        if (c.letter == 'n') {
            if (!c.skipped)
                store(va_arg(rest, void *), c.size, (unsigned long long)(s - text));
            continue;
        }
        if (*s == 0)
            return ended(stored, converted);
        if (literal != '%' || c.letter == '%') {
            if (*s != literal)
                return stored;
            s++;
            continue;
        }
        void *to = c.skipped ? NULL : va_arg(rest, void *);
        switch (c.letter) {
        case 'd':
        case 'i':
        case 'u':
        case 'x':
        case 'o': {
            unsigned long long value;
            s = scan_integer(s, &c, has_binary, &value);
            if (s == NULL)
                return stored;
            if (to != NULL)
                store(to, c.size, value);
            break;
        }
        case 'c':
            for (int i = 0; i < (c.width == 0 ? 1 : c.width); i++, s++) {
                // glibc accepts fewer characters than wanted; ISO C requires all of them.
                if (*s == 0 && otherwise())
                    return stored;
                if (*s == 0)
                    break;
                if (to != NULL)
                    ((char *)to)[i] = *s;
            }
            break;
        case 's': {
            int n = 0;
            for (; *s != 0 && !is_space(*s) && (c.width == 0 || n < c.width); s++, n++)
                if (to != NULL)
                    ((char *)to)[n] = *s;
            if (to != NULL)
                ((char *)to)[n] = 0;
            break;
        }
        case '[': {
            int n = 0;
            for (; *s != 0 && is_in_set(set, format - 1, *s) && (c.width == 0 || n < c.width); s++, n++)
                if (to != NULL)
                    ((char *)to)[n] = *s;
            if (n == 0)
                return stored;
            if (to != NULL)
                ((char *)to)[n] = 0;
            break;
        }
        case 'a':
        case 'e':
        case 'f':
        case 'g':
        case 'A':
        case 'E':
        case 'F':
        case 'G':
            s = scan_floating(s, &c, to);
            if (s == NULL)
                return stored;
            break;
        default:
            __kerf_unsupported("a conversion in a format of sscanf");
            return stored;
        }
        converted = 1;
        stored += to != NULL;
    }
    return stored;
}

#define SCAN(how)               \
    va_list rest;               \
    va_start(rest, format);     \
    int n = how;                \
    va_end(rest);               \
    return n

/* Any values of the types that the format names. A "%[...]" gives any text, and a floating-point conversion any value of its
 * type. Input that one call leaves unread for the next is not modelled. */
int scanf(const char *format, ...) { SCAN(scan_any(stdin, format, rest)); }
int __isoc99_scanf(const char *format, ...) { SCAN(scan_any(stdin, format, rest)); }
int __isoc23_scanf(const char *format, ...) { SCAN(scan_any(stdin, format, rest)); }
int fscanf(FILE *from, const char *format, ...) { look_at(from); SCAN(scan_any(from, format, rest)); }
int __isoc99_fscanf(FILE *from, const char *format, ...) { look_at(from); SCAN(scan_any(from, format, rest)); }
int __isoc23_fscanf(FILE *from, const char *format, ...) { look_at(from); SCAN(scan_any(from, format, rest)); }
int vscanf(const char *format, va_list rest) { return scan_any(stdin, format, rest); }
int vfscanf(FILE *from, const char *format, va_list rest) { return look_at(from), scan_any(from, format, rest); }
int __isoc99_vscanf(const char *format, va_list rest) { return scan_any(stdin, format, rest); }
int __isoc99_vfscanf(FILE *from, const char *format, va_list rest) { return look_at(from), scan_any(from, format, rest); }

/* Exact for integers, %c, %s and "%[...]", for floating-point numbers as strtod is; numbers that do not fit, and floating-point numbers
 * with a width, infinities and NaNs are unsupported. */
int sscanf(const char *text, const char *format, ...) { SCAN(scan_text(text, format, rest, 0)); }
int __isoc99_sscanf(const char *text, const char *format, ...) { SCAN(scan_text(text, format, rest, 0)); }
int __isoc23_sscanf(const char *text, const char *format, ...) { SCAN(scan_text(text, format, rest, 1)); }
int vsscanf(const char *text, const char *format, va_list rest) { return scan_text(text, format, rest, 0); }
int __isoc99_vsscanf(const char *text, const char *format, va_list rest) { return scan_text(text, format, rest, 0); }
