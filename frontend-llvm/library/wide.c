/* <wchar.h> and <wctype.h> for the locale "C", and wide characters of four bytes. */
#include "kerf.h"

typedef int wide;
typedef unsigned wint;

static size_t length(const wide *s) {
    size_t n = 0;
    while (s[n] != 0)
        n++;
    return n;
}

static size_t length_up_to(const wide *s, size_t max) {
    size_t n = 0;
    while (n < max && s[n] != 0)
        n++;
    return n;
}

/* Exact. */
size_t wcslen(const wide *s) { return length(s); }
size_t wcsnlen(const wide *s, size_t max) { return length_up_to(s, max); }

/* Exact; ISO C leaves open what happens if the texts overlap. */
wide *wcscpy(wide *to, const wide *from) {
    size_t n = length(from) + 1;
    __kerf_apart(to, from, n * sizeof *to);
    __builtin_memcpy(to, from, n * sizeof *to);
    return to;
}

wide *wcsncpy(wide *to, const wide *from, size_t n) {
    size_t i = length_up_to(from, n);
    __kerf_apart(to, from, i * sizeof *to);
    __builtin_memcpy(to, from, i * sizeof *to);
    for (; i < n; i++)
        to[i] = 0;
    return to;
}

static wide *append(wide *to, const wide *from, size_t n) {
    wide *end = to + length(to);
    __kerf_apart(end, from, n * sizeof *to);
    __builtin_memcpy(end, from, n * sizeof *to);
    end[n] = 0;
    return to;
}
wide *wcscat(wide *to, const wide *from) { return append(to, from, length(from)); }
wide *wcsncat(wide *to, const wide *from, size_t n) { return append(to, from, length_up_to(from, n)); }

/* Exact, up to the assumption on malloc. */
wide *wcsdup(const wide *s) {
    size_t n = length(s) + 1;
    wide *block = malloc(n * sizeof *s);
    if (block != NULL)
        __builtin_memcpy(block, s, n * sizeof *s);
    return block;
}

/* The result is any number of the sign, typically -1, 0 or 1. */
static int difference(wide a, wide b) { return any_of_sign(a < b ? -1 : a > b); }

int wcsncmp(const wide *a, const wide *b, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i] || a[i] == 0)
            return difference(a[i], b[i]);
    return 0;
}

int wcscmp(const wide *a, const wide *b) {
    for (size_t i = 0;; i++)
        if (a[i] != b[i] || a[i] == 0)
            return difference(a[i], b[i]);
}

int wmemcmp(const wide *a, const wide *b, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return difference(a[i], b[i]);
    return 0;
}

/* Exact. */
wide *wcschr(const wide *s, wide c) {
    for (;; s++) {
        if (*s == c)
            return (wide *)s;
        if (*s == 0)
            return NULL;
    }
}

wide *wcsrchr(const wide *s, wide c) {
    for (size_t i = length(s) + 1; i > 0; i--)
        if (s[i - 1] == c)
            return (wide *)s + i - 1;
    return NULL;
}

wide *wmemchr(const wide *s, wide c, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (s[i] == c)
            return (wide *)s + i;
    return NULL;
}

wide *wcsstr(const wide *s, const wide *part) {
    size_t n = length(part);
    for (;; s++) {
        size_t i = 0;
        while (i < n && s[i] == part[i])
            i++;
        if (i == n)
            return (wide *)s;
        if (*s == 0)
            return NULL;
    }
}

static int is_among(wide c, const wide *all) {
    for (; *all != 0; all++)
        if (*all == c)
            return 1;
    return 0;
}

size_t wcsspn(const wide *s, const wide *all) {
    size_t n = 0;
    while (s[n] != 0 && is_among(s[n], all))
        n++;
    return n;
}

size_t wcscspn(const wide *s, const wide *all) {
    size_t n = 0;
    while (s[n] != 0 && !is_among(s[n], all))
        n++;
    return n;
}

wide *wcspbrk(const wide *s, const wide *all) {
    for (; *s != 0; s++)
        if (is_among(*s, all))
            return (wide *)s;
    return NULL;
}

/* Exact; ISO C leaves open what happens if the blocks overlap. */
wide *wmemcpy(wide *to, const wide *from, size_t n) {
    __kerf_apart(to, from, n * sizeof *to);
    return __builtin_memcpy(to, from, n * sizeof *to);
}

/* Exact. */
wide *wmemmove(wide *to, const wide *from, size_t n) { return __builtin_memmove(to, from, n * sizeof *to); }
wide *wmemset(wide *to, wide c, size_t n) {
    for (size_t i = 0; i < n; i++)
        to[i] = c;
    return to;
}

static int is_between(wint c, wint from, wint to) { return c >= from && c <= to; }
static int is_upper(wint c) { return is_between(c, 'A', 'Z'); }
static int is_lower(wint c) { return is_between(c, 'a', 'z'); }
static int is_digit(wint c) { return is_between(c, '0', '9'); }
static int is_letter(wint c) { return is_upper(c) || is_lower(c); }

/* The classes of the locale "C", to which only ASCII's characters belong; "yes" is any value but 0. */
#define CLASS(name, holds) \
    int name(wint c) { return (holds) ? any_but_zero(1) : 0; }
CLASS(iswalpha, is_letter(c))
CLASS(iswdigit, is_digit(c))
CLASS(iswalnum, is_letter(c) || is_digit(c))
CLASS(iswupper, is_upper(c))
CLASS(iswlower, is_lower(c))
CLASS(iswxdigit, is_digit(c) || is_between(c, 'A', 'F') || is_between(c, 'a', 'f'))
CLASS(iswspace, c == ' ' || is_between(c, '\t', '\r'))
CLASS(iswblank, c == ' ' || c == '\t')
CLASS(iswcntrl, c < ' ' || c == 0x7f)
CLASS(iswprint, is_between(c, ' ', '~'))
CLASS(iswgraph, is_between(c, '!', '~'))
CLASS(iswpunct, is_between(c, '!', '~') && !is_letter(c) && !is_digit(c))

/* Exact for the locale "C". */
wint towupper(wint c) { return is_lower(c) ? c - 32 : c; }
wint towlower(wint c) { return is_upper(c) ? c + 32 : c; }

/* Conversions: exact for ASCII; what becomes of other bytes depends on the version of glibc, so it is left open. */
wint btowc(int c) {
    if (c == -1)
        return (wint)-1;
    return (unsigned)c < 128 ? (wint)c : (wint)__kerf_approx_int();
}

int wctob(wint c) { return c < 128 ? (int)c : __kerf_approx_int(); }

/* The number of characters, at most n; -1 if a byte means none. Bytes beyond ASCII give any character, or end the conversion. */
size_t mbstowcs(wide *to, const char *from, size_t n) {
    for (size_t i = 0; to == NULL || i < n; i++) {
        unsigned char c = (unsigned char)from[i];
        if (c >= 128 && (__kerf_approx_int() & 1)) {
            (void)failed();
            return (size_t)-1;
        }
        if (to != NULL)
            to[i] = c < 128 ? c : __kerf_approx_int();
        if (c == 0)
            return i;
    }
    return n;
}

/* As mbstowcs; a character beyond ASCII gives one byte, or ends the conversion. */
size_t wcstombs(char *to, const wide *from, size_t n) {
    for (size_t i = 0; to == NULL || i < n; i++) {
        wint c = (wint)from[i];
        if (c >= 128 && (__kerf_approx_int() & 1)) {
            (void)failed();
            return (size_t)-1;
        }
        if (to != NULL)
            to[i] = (char)(c < 128 ? (int)c : __kerf_approx_int());
        if (c == 0)
            return i;
    }
    return n;
}
