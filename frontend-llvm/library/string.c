/* <string.h>, <strings.h>: byte by byte, for the locale "C". The analysis checks for accesses outside an object. */
#include "kerf.h"

static size_t length(const char *s) {
    size_t n = 0;
    while (s[n] != 0)
        n++;
    return n;
}

static size_t length_up_to(const char *s, size_t max) {
    size_t n = 0;
    while (n < max && s[n] != 0)
        n++;
    return n;
}

static int lower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }

/* Copies up to and including the 0; returns the position of the 0. */
static char *copy(char *to, const char *from) {
    char *begin = to;
    const char *source = from;
    size_t n = 1;
    while ((*to = *from) != 0) {
        to++;
        from++;
        n++;
    }
    __kerf_apart(begin, source, n);
    return to;
}

static int compare(const char *a, const char *b) {
    while (*a != 0 && *a == *b) {
        a++;
        b++;
    }
    return (unsigned char)*a - (unsigned char)*b;
}

static int is_in(char c, const char *set) {
    for (; *set != 0; set++)
        if (*set == c)
            return 1;
    return 0;
}

static char *find(const char *s, int c) {
    for (; *s != (char)c; s++)
        if (*s == 0)
            return NULL;
    return (char *)s;
}

static char *find_last(const char *s, int c) {
    const char *last = NULL;
    for (;; s++) {
        if (*s == (char)c)
            last = s;
        if (*s == 0)
            return (char *)last;
    }
}

static char *split(char **rest, const char *separators, int skip_empty) {
    char *start = *rest;
    if (start == NULL)
        return NULL;
    if (skip_empty) {
        while (*start != 0 && is_in(*start, separators))
            start++;
        if (*start == 0) {
            *rest = start;
            return NULL;
        }
    }
    char *end = start;
    while (*end != 0 && !is_in(*end, separators))
        end++;
    if (*end != 0)
        *end++ = 0;
    else if (!skip_empty)
        end = NULL;
    *rest = end;
    return start;
}

static char *copy_padded(char *to, const char *from, size_t n) {
    size_t i = 0;
    for (; i < n && from[i] != 0; i++)
        to[i] = from[i];
    __kerf_apart(to, from, i);
    for (; i < n; i++)
        to[i] = 0;
    return to;
}

static char *append_up_to(char *to, const char *from, size_t n) {
    char *end = to + length(to);
    size_t i = 0;
    for (; i < n && from[i] != 0; i++)
        end[i] = from[i];
    end[i] = 0;
    __kerf_apart(end, from, i + 1);
    return to;
}

static char *duplicate(const char *s) {
    char *block = malloc(length(s) + 1);
    if (block != NULL)
        copy(block, s);
    return block;
}

static int compare_bytes(const void *a, const void *b, size_t n) {
    const unsigned char *x = a, *y = b;
    for (size_t i = 0; i < n; i++)
        if (x[i] != y[i])
            return x[i] - y[i];
    return 0;
}

/* Exact. */
size_t strlen(const char *s) { return length(s); }

/* Exact. */
size_t strnlen(const char *s, size_t max) { return length_up_to(s, max); }

/* Exact. */
char *strcpy(char *to, const char *from) {
    copy(to, from);
    return to;
}

/* Exact. */
char *stpcpy(char *to, const char *from) { return copy(to, from); }

/* Exact. */
char *strncpy(char *to, const char *from, size_t n) { return copy_padded(to, from, n); }

/* Exact. */
char *stpncpy(char *to, const char *from, size_t n) {
    size_t i = 0;
    for (; i < n && from[i] != 0; i++)
        to[i] = from[i];
    __kerf_apart(to, from, i);
    for (size_t j = i; j < n; j++)
        to[j] = 0;
    return to + i;
}

/* Exact. */
char *strcat(char *to, const char *from) {
    copy(to + length(to), from);
    return to;
}

/* Exact. */
char *strncat(char *to, const char *from, size_t n) { return append_up_to(to, from, n); }

/* Exact. */
size_t strlcpy(char *to, const char *from, size_t size) {
    size_t i = 0;
    if (size > 0) {
        for (; i < size - 1 && from[i] != 0; i++)
            to[i] = from[i];
        to[i] = 0;
    }
    return i + length(from + i);
}

/* Exact. */
size_t strlcat(char *to, const char *from, size_t size) {
    size_t start = length_up_to(to, size);
    size_t i = 0;
    if (start < size) {
        for (; i < size - start - 1 && from[i] != 0; i++)
            to[start + i] = from[i];
        to[start + i] = 0;
    }
    return start + i + length(from + i);
}

/* The result is any number of the sign that ISO C promises, typically the difference of the bytes. */
int strcmp(const char *a, const char *b) { return any_of_sign(compare(a, b)); }

/* Like strcmp; locales other than "C" are not modelled. */
int strcoll(const char *a, const char *b) { return any_of_sign(compare(a, b)); }

/* The result is any number of the sign that ISO C promises, typically the difference of the bytes. */
int strncmp(const char *a, const char *b, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i] || a[i] == 0)
            return any_of_sign((unsigned char)a[i] - (unsigned char)b[i]);
    return 0;
}

/* The result is any number of that sign, typically the difference of the lower-case bytes; locales other than "C" are not
 * modelled. */
int strcasecmp(const char *a, const char *b) {
    while (*a != 0 && lower((unsigned char)*a) == lower((unsigned char)*b)) {
        a++;
        b++;
    }
    return any_of_sign(lower((unsigned char)*a) - lower((unsigned char)*b));
}

/* The result is any number of that sign, typically the difference of the lower-case bytes; locales other than "C" are not
 * modelled. */
int strncasecmp(const char *a, const char *b, size_t n) {
    for (size_t i = 0; i < n; i++) {
        int x = lower((unsigned char)a[i]), y = lower((unsigned char)b[i]);
        if (x != y || x == 0)
            return any_of_sign(x - y);
    }
    return 0;
}

/* Exact for the locale "C" if the text has room; otherwise the bytes are arbitrary, typically those that fit. */
size_t strxfrm(char *to, const char *from, size_t n) {
    size_t i = 0;
    for (; i < n && from[i] != 0; i++)
        to[i] = from[i];
    if (i < n)
        to[i] = 0;
    else if (n > 0 && otherwise())
        __kerf_approx_bytes(to, n);
    return i + length(from + i);
}

/* Exact. */
char *strchr(const char *s, int c) { return find(s, c); }

/* Exact. */
char *index(const char *s, int c) { return find(s, c); }

/* Exact. */
char *strchrnul(const char *s, int c) {
    while (*s != 0 && *s != (char)c)
        s++;
    return (char *)s;
}

/* Exact. */
char *strrchr(const char *s, int c) { return find_last(s, c); }

/* Exact. */
char *rindex(const char *s, int c) { return find_last(s, c); }

/* Exact. */
char *strstr(const char *s, const char *wanted) {
    for (;; s++) {
        size_t i = 0;
        while (wanted[i] != 0 && s[i] == wanted[i])
            i++;
        if (wanted[i] == 0)
            return (char *)s;
        if (*s == 0)
            return NULL;
    }
}

/* Exact for the locale "C". */
char *strcasestr(const char *s, const char *wanted) {
    for (;; s++) {
        size_t i = 0;
        while (wanted[i] != 0 && lower((unsigned char)s[i]) == lower((unsigned char)wanted[i]))
            i++;
        if (wanted[i] == 0)
            return (char *)s;
        if (*s == 0)
            return NULL;
    }
}

/* Exact. */
size_t strspn(const char *s, const char *set) {
    size_t n = 0;
    while (s[n] != 0 && is_in(s[n], set))
        n++;
    return n;
}

/* Exact. */
size_t strcspn(const char *s, const char *set) {
    size_t n = 0;
    while (s[n] != 0 && !is_in(s[n], set))
        n++;
    return n;
}

/* Exact. */
char *strpbrk(const char *s, const char *set) {
    for (; *s != 0; s++)
        if (is_in(*s, set))
            return (char *)s;
    return NULL;
}

/* Exact, but at the end of the text, musl stores NULL for what is left. */
char *strtok_r(char *s, const char *separators, char **rest) {
    if (s != NULL)
        *rest = s;
    char *word = split(rest, separators, 1);
    if (*rest != NULL && **rest == 0 && otherwise())
        *rest = NULL;
    return word;
}

/* Exact; a first call without a string, which is undefined in C, gives NULL. */
char *strtok(char *s, const char *separators) {
    static char *rest;
    static int begun;
    if (s != NULL)
        rest = s, begun = 1;
    else if (!begun)
        look_into(s);
    return split(&rest, separators, 1);
}

/* Exact. */
char *strsep(char **rest, const char *separators) { return split(rest, separators, 0); }

/* Exact, up to the assumption on malloc. */
char *strdup(const char *s) { return duplicate(s); }

/* Like strdup. */
char *__strdup(const char *s) { return duplicate(s); }

/* Exact, up to the assumption on malloc. */
char *strndup(const char *s, size_t max) {
    size_t n = length_up_to(s, max);
    char *block = malloc(n + 1);
    if (block == NULL)
        return NULL;
    for (size_t i = 0; i < n; i++)
        block[i] = s[i];
    block[n] = 0;
    return block;
}

/* An arbitrary text at any address in one of several objects, so that texts may be the same, overlap, or lie at any distance. */
char *strerror(int number) {
    static char first[256], second[256], third[256], fourth[256];
    (void)number;
    if (__kerf_errno_is_read() && otherwise())
        errno = NOT_VALID;
    unsigned long which = __kerf_approx_ulong() & 3;
    char *texts = which == 0 ? first : which == 1 ? second : which == 2 ? third : fourth;
    __kerf_approx_bytes(texts, sizeof first - 1);
    return texts + (__kerf_approx_ulong() & (sizeof first - 1));
}

/* The result is any number of the sign that ISO C promises, typically the difference of the bytes. */
int memcmp(const void *a, const void *b, size_t n) { return any_of_sign(compare_bytes(a, b, n)); }

/* The result is any number but 0 if the bytes differ. */
int bcmp(const void *a, const void *b, size_t n) {
    int difference = compare_bytes(a, b, n);
    return difference == 0 ? 0 : any_but_zero(difference);
}

/* Exact. */
void *memchr(const void *block, int c, size_t n) {
    const unsigned char *p = block;
    for (size_t i = 0; i < n; i++)
        if (p[i] == (unsigned char)c)
            return (void *)(p + i);
    return NULL;
}

/* Exact. */
void *rawmemchr(const void *block, int c) {
    const unsigned char *p = block;
    while (*p != (unsigned char)c)
        p++;
    return (void *)p;
}

/* Exact. */
void *memrchr(const void *block, int c, size_t n) {
    const unsigned char *p = block;
    while (n > 0)
        if (p[--n] == (unsigned char)c)
            return (void *)(p + n);
    return NULL;
}

/* Exact. */
void *memmem(const void *block, size_t n, const void *wanted, size_t m) {
    const unsigned char *p = block, *w = wanted;
    for (size_t at = 0; m <= n && at <= n - m; at++) {
        size_t i = 0;
        while (i < m && p[at + i] == w[i])
            i++;
        if (i == m)
            return (void *)(p + at);
    }
    return NULL;
}

/* Exact. */
void *memccpy(void *to, const void *from, int c, size_t n) {
    unsigned char *t = to;
    const unsigned char *f = from;
    for (size_t i = 0; i < n; i++)
        if ((t[i] = f[i]) == (unsigned char)c)
            return t + i + 1;
    return NULL;
}

/* Exact. */
void *mempcpy(void *to, const void *from, size_t n) {
    __kerf_apart(to, from, n);
    __builtin_memcpy(to, from, n);
    return (char *)to + n;
}

/* Exact. */
void bcopy(const void *from, void *to, size_t n) { __builtin_memmove(to, from, n); }

/* Exact. */
void bzero(void *block, size_t n) { __builtin_memset(block, 0, n); }

/* Exact. */
void explicit_bzero(void *block, size_t n) { __builtin_memset(block, 0, n); }

/* Exact. */
int ffs(int word) { return __builtin_ffs(word); }

/* Exact. */
int ffsl(long word) { return __builtin_ffsl(word); }

/* Exact. */
int ffsll(long long word) { return __builtin_ffsll(word); }

/* The checked forms that -D_FORTIFY_SOURCE calls: like the plain ones, but they abort if the object (of room bytes) is too
 * small. */

/* Exact. */
void *__memcpy_chk(void *to, const void *from, size_t n, size_t room) {
    if (n > room)
        abort();
    __kerf_apart(to, from, n);
    return __builtin_memcpy(to, from, n);
}

/* Exact. */
void *__memmove_chk(void *to, const void *from, size_t n, size_t room) {
    if (n > room)
        abort();
    return __builtin_memmove(to, from, n);
}

/* Exact. */
void *__mempcpy_chk(void *to, const void *from, size_t n, size_t room) {
    if (n > room)
        abort();
    __kerf_apart(to, from, n);
    return (char *)__builtin_memcpy(to, from, n) + n;
}

/* Exact. */
void *__memset_chk(void *block, int c, size_t n, size_t room) {
    if (n > room)
        abort();
    return __builtin_memset(block, c, n);
}

/* Exact. */
char *__strcpy_chk(char *to, const char *from, size_t room) {
    if (length(from) >= room)
        abort();
    copy(to, from);
    return to;
}

/* Exact. */
char *__strcat_chk(char *to, const char *from, size_t room) {
    size_t start = length(to);
    if (start + length(from) >= room)
        abort();
    copy(to + start, from);
    return to;
}

/* Exact. */
char *__strncpy_chk(char *to, const char *from, size_t n, size_t room) {
    if (n > room)
        abort();
    return copy_padded(to, from, n);
}

/* Exact. */
char *__strncat_chk(char *to, const char *from, size_t n, size_t room) {
    if (length(to) + length_up_to(from, n) >= room)
        abort();
    return append_up_to(to, from, n);
}
