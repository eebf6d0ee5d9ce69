/* <regex.h>: which texts match is not modelled. */
#include "kerf.h"

/* What a compiled expression consists of is glibc's own, but for the number of its parts in brackets. */
struct expression {
    char hidden[sizeof(long) == 8 ? 48 : 24];
    size_t parts;
    char rest[8];
};
struct match {
    int begin, end;
};
enum { WITHOUT_MATCHES = 8, LAST_ERROR = 16, FROM_MATCH = 4 };

/* Any expression, or any of the errors. */
int regcomp(struct expression *to, const char *text, int flags) {
    (void)flags;
    look_into(text);
    __kerf_approx_bytes(to, sizeof *to);
    int error = __kerf_approx_int();
    __kerf_assume(error >= 0 && error <= LAST_ERROR);
    return error;
}

/* A match, with any parts of the text, or none (1), or not enough memory (12). */
int regexec(const struct expression *by, const char *text, size_t n, struct match *matches, int flags) {
    look_into((const char *)by);
    if (flags & FROM_MATCH)
        __kerf_unsupported("regexec with REG_STARTEND");
    size_t length = 0;
    while (text[length] != 0)
        length++;
    int result = __kerf_approx_int();
    __kerf_assume(result == 0 || result == 1 || result == 12);
    /* An expression that was compiled with REG_NOSUB writes no matches. */
    if (result == 0 && matches != NULL && (__kerf_approx_int() & 1))
        for (size_t i = 0; i < n; i++) {
            int begin = __kerf_approx_int(), end = __kerf_approx_int();
            int is_part = begin >= 0 && begin <= end && (size_t)end <= length;
            __kerf_assume(is_part || (i > 0 && begin == -1 && end == -1));
            matches[i].begin = begin;
            matches[i].end = end;
        }
    return result;
}

/* No effect but that what it consisted of is gone. */
void regfree(struct expression *of) { __kerf_approx_bytes(of, sizeof *of); }

/* Any text that fits, and the number of bytes that the whole one has. */
size_t regerror(int error, const struct expression *of, char *to, size_t n) {
    (void)error;
    (void)of;
    size_t size = __kerf_approx_ulong();
    __kerf_assume(size > 0 && size < 256);
    if (n > 0) {
        size_t written = size < n ? size : n;
        __kerf_approx_bytes(to, written - 1);
        to[written - 1] = 0;
    }
    return size;
}
