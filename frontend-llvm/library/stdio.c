/* <stdio.h>: output has no effect, input is arbitrary; files are distinguished only by their streams. */
#include "kerf.h"

/* Makes room for n bytes and a 0: typically as much as glibc does, otherwise any sufficient size. */
static int make_room(char **line, size_t *size, size_t n) {
    size_t room = n < 120 ? 120 : n + 1;
    if (maybe()) {
        room = __kerf_approx_ulong();
        __kerf_assume(room > n);
    }
    char *block = realloc(*line, room);
    if (block == NULL)
        return 0;
    *line = block;
    *size = room;
    return 1;
}

/* Three objects, because nobody knows in which order and at which distances they lie. */
__attribute__((IS_STREAM)) static struct stream standard_input = {.handle = 0, .only_for_reading = 1};
__attribute__((IS_STREAM)) static struct stream standard_output = {.handle = 1, .only_for_writing = 1};
__attribute__((IS_STREAM)) static struct stream standard_error = {.handle = 2, .only_for_writing = 1};
FILE *stdin = &standard_input;
FILE *stdout = &standard_output;
FILE *stderr = &standard_error;

/* An arbitrary number of printed or read units: 0 to n. */
static size_t at_most(size_t n) {
    size_t r = __kerf_nondet_ulong();
    __kerf_assume(r <= n);
    return r;
}

/* Whether output may have failed, on some stream. It is not part of a stream: otherwise, all output would depend on earlier output, and
 * a slice that keeps one line that is printed would keep all of them. */
int __kerf_output_may_have_failed;
static int flush_may_have_failed;

int __kerf_pushed_back;

/* Whether the program printed to the standard input, which fails. */
static int input_is_printed_to;
#define look_at_output(to) (look_at(to), (void)((to) == INPUT && (input_is_printed_to = 1)))

/* Functions without a parameter for the stream use the standard one, even if the program assigned another one to stdin or stdout:
 * feof and ferror take that into account. */
#define INPUT (&standard_input)
#define OUTPUT (&standard_output)

/* Whether writing fails is up to the environment; a negative number of printed bytes may have other reasons. */
static int number_printed(void) {
    may_set_errno();
    __kerf_output_may_have_failed = 1;
    return __kerf_approx_int();
}

/* Printing has no effect except on errno and on ferror. The result is any number; in reality it is the number of bytes or
 * negative. Calls with "%n" are unsupported (the front-end inspects constant formats; it assumes that other formats contain no
 * "%n"). */
int printf(const char *format, ...) { return (void)format, number_printed(); }
int vprintf(const char *format, va_list rest) { return (void)format, (void)rest, number_printed(); }
int fprintf(FILE *to, const char *format, ...) { return look_at_output(to), (void)format, number_printed(); }
int vfprintf(FILE *to, const char *format, va_list rest) {
    return look_at_output(to), (void)format, (void)rest, number_printed();
}
int dprintf(int to, const char *format, ...) {
    (void)to, (void)format;
    may_set_errno();
    return __kerf_approx_int();
}
int __printf_chk(int flag, const char *format, ...) { return (void)flag, (void)format, number_printed(); }
int __fprintf_chk(FILE *to, int flag, const char *format, ...) {
    return look_at_output(to), (void)flag, (void)format, number_printed();
}
int __vprintf_chk(int flag, const char *format, va_list rest) {
    return (void)flag, (void)format, (void)rest, number_printed();
}
int __vfprintf_chk(FILE *to, int flag, const char *format, va_list rest) {
    return look_at_output(to), (void)flag, (void)format, (void)rest, number_printed();
}

/* EOF after an error, or any number that is not negative; glibc has one such number. */
static int printed(void) {
    may_set_errno();
    __kerf_output_may_have_failed = 1;
    return maybe() ? END_OF_FILE : __kerf_approx_int() & INT_MAX;
}

/* Exact: the character, or EOF after an error. */
static int character(int c) {
    may_set_errno();
    __kerf_output_may_have_failed = 1;
    return maybe() ? (unsigned char)c : END_OF_FILE;
}

/* Whether a stream that is only for reading refuses output; ISO C leaves that open, POSIX does not. */
#define refuses(to) ((to)->only_for_reading && !otherwise())

#pragma clang attribute push(__attribute__((KNOWS_STREAMS)), apply_to = function)

/* No effect except on ferror; the result as printed() and character() say. */
int puts(const char *text) { return look_into(text), printed(); }
int fputs(const char *text, FILE *to) {
    look_into(text), look_at_output(to);
    int result = printed();
    return refuses(to) ? END_OF_FILE : result;
}
int putchar(int c) { return character(c); }
int fputc(int c, FILE *to) {
    look_at_output(to);
    int result = character(c);
    return refuses(to) ? END_OF_FILE : result;
}
int putc(int c, FILE *to) { return fputc(c, to); }
int _IO_putc(int c, FILE *to) { return fputc(c, to); }
void perror(const char *text) { (void)text, (void)printed(); }

/* <err.h>: prints to the standard error stream, and ends the program. */
void exit(int status) __attribute__((noreturn));
void warn(const char *format, ...) { (void)format, (void)number_printed(); }
void warnx(const char *format, ...) { (void)format, (void)number_printed(); }
void vwarn(const char *format, va_list rest) { (void)format, (void)rest, (void)number_printed(); }
void vwarnx(const char *format, va_list rest) { (void)format, (void)rest, (void)number_printed(); }
void err(int status, const char *format, ...) { (void)format, (void)number_printed(), exit(status); }
void errx(int status, const char *format, ...) { (void)format, (void)number_printed(), exit(status); }
void verr(int status, const char *format, va_list rest) { (void)format, (void)rest, (void)number_printed(), exit(status); }
void verrx(int status, const char *format, va_list rest) { (void)format, (void)rest, (void)number_printed(), exit(status); }
size_t fwrite(const void *from, size_t size, size_t count, FILE *to) {
    look_at_output(to);
    may_set_errno();
    if (size == 0)
        return 0;
    if (count > 0)
        look_into(from);
    __kerf_output_may_have_failed = 1;
    return refuses(to) ? 0 : at_most(count);
}

#pragma clang attribute pop

/* Pieces of a formatted text. Each is printed to `to`, where `count` bytes have been printed before; bytes beyond `room` are only
 * counted. The result is the new count.
 *
 * Where a format is constant, the front-end reads it, and calls a function for each of its pieces instead of the function that the
 * program calls (src/lower/format_pieces.rs); so their parameters must not be changed here alone. */
#define PUT(c)                 \
    do {                       \
        if (count < room)      \
            to[count] = (c);   \
        count++;               \
    } while (0)
#define PUT_MANY(c, n)                       \
    do {                                     \
        for (int left = (n); left > 0; left--) \
            PUT(c);                          \
    } while (0)

/* Flags of a conversion. Its width is 0 and its precision -1 if there is none. */
enum { LEFT = 1, PLUS = 2, BLANK = 4, ALTERNATIVE = 8, ZEROS = 16 };

/* Bytes of the format itself. */
size_t __kerf_print_literal(char *to, size_t room, size_t count, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++)
        PUT(text[i]);
    return count;
}

/* An unknown text of unknown length, for a number that is not computed: at least as long as the width, and at most as long as
 * the digits of the largest number and the precision require. */
size_t __kerf_print_unknown(char *to, size_t room, size_t count, int width, int precision) {
    size_t n = __kerf_approx_ulong();
    size_t most = 5000 + (size_t)(precision > 0 ? precision : 0);
    size_t least = width > 0 ? (size_t)width : 1;
    __kerf_assume(n >= least && n <= (least < most ? most : least));
    if (count < room) {
        size_t left = room - count;
        __kerf_approx_bytes(to + count, n < left ? n : left);
    }
    return count + n;
}

/* A number's magnitude, for %d %i %u %o %x %X. */
size_t __kerf_print_number(char *to, size_t room, size_t count, int flags, int width, int precision, char letter,
                           unsigned long long value, int negative) {
    char digits[24];
    int n = 0;
    const char *symbols = letter == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
    const char *prefix = "";
    int hexadecimal = letter == 'x' || letter == 'X';
    if (letter == 'd' || letter == 'i')
        prefix = negative ? "-" : flags & PLUS ? "+" : flags & BLANK ? " " : "";
    else if (flags & ALTERNATIVE && hexadecimal && value != 0)
        prefix = letter == 'x' ? "0x" : "0X";
    if (hexadecimal) {
        for (; value != 0; value >>= 4)
            digits[n++] = symbols[value & 15];
    } else if (letter == 'o') {
        for (; value != 0; value >>= 3)
            digits[n++] = (char)('0' + (value & 7));
    } else {
        for (; value > UINT_MAX; value /= 10)
            digits[n++] = (char)('0' + value % 10);
        for (unsigned small = (unsigned)value; small != 0; small /= 10)
            digits[n++] = (char)('0' + small % 10);
    }
    int zeros = precision < 0 ? (n == 0) : precision - n;
    if (flags & ALTERNATIVE && letter == 'o' && zeros <= 0)
        zeros = 1;
    int prefix_length = prefix[0] == 0 ? 0 : prefix[1] == 0 ? 1 : 2;
    int used = prefix_length + n + (zeros > 0 ? zeros : 0);
    if (flags & ZEROS && !(flags & LEFT) && precision < 0 && width > used) {
        zeros = (zeros > 0 ? zeros : 0) + width - used;
        used = width;
    }
    if (!(flags & LEFT))
        PUT_MANY(' ', width - used);
    for (; *prefix != 0; prefix++)
        PUT(*prefix);
    PUT_MANY('0', zeros);
    while (n > 0) {
        n--;
        PUT(digits[n]);
    }
    if (flags & LEFT)
        PUT_MANY(' ', width - used);
    return count;
}

/* %s */
size_t __kerf_print_text(char *to, size_t room, size_t count, int flags, int width, int precision, const char *text) {
    if (text == NULL)
        text = precision < 0 || precision >= 6 ? "(null)" : "";
    int n = 0;
    while ((precision < 0 || n < precision) && text[n] != 0)
        n++;
    if (!(flags & LEFT))
        PUT_MANY(' ', width - n);
    if (count < room) {
        /* The text and what is written, even if they begin at the same place. */
        __kerf_apart(to + count, text, n);
        __kerf_apart(to + count + 1, text, n);
    }
    for (int i = 0; i < n; i++)
        PUT(text[i]);
    if (flags & LEFT)
        PUT_MANY(' ', width - n);
    return count;
}

/* %c */
size_t __kerf_print_char(char *to, size_t room, size_t count, int flags, int width, int one) {
    PUT_MANY(' ', flags & LEFT ? 0 : width - 1);
    PUT((char)one);
    PUT_MANY(' ', flags & LEFT ? width - 1 : 0);
    return count;
}

/* The end of a text for which the program has `size` bytes: its length without the terminating 0. */
int __kerf_print_end(char *to, size_t size, size_t count, int is_too_large) {
    if (size > 0)
        to[count < size - 1 ? count : size - 1] = 0;
    may_set_errno();
    if (is_too_large || count > INT_MAX) {
        errno = TOO_LARGE;
        return -1;
    }
    return (int)count;
}

/* Reads a width or a precision; -1 for one that does not fit in an int. */
static const char *read_number(const char *format, int *number) {
    *number = 0;
    for (; *format >= '0' && *format <= '9'; format++) {
        int digit = *format - '0';
        *number = *number < 0 || *number > (INT_MAX - digit) / 10 ? -1 : *number * 10 + digit;
    }
    return format;
}

/* The size of an argument, given by the length modifiers. */
enum { SIZE_CHAR, SIZE_SHORT, SIZE_INT, SIZE_LONG, SIZE_LONG_LONG };

static const char *read_size(const char *format, int *size) {
    *size = SIZE_INT;
    switch (*format) {
    case 'h':
        *size = format[1] == 'h' ? SIZE_CHAR : SIZE_SHORT;
        return format + (format[1] == 'h' ? 2 : 1);
    case 'l':
        *size = format[1] == 'l' ? SIZE_LONG_LONG : SIZE_LONG;
        return format + (format[1] == 'l' ? 2 : 1);
    case 'q':
    case 'L':
    case 'j':
        *size = SIZE_LONG_LONG;
        return format + 1;
    case 'z':
    case 't':
        *size = SIZE_LONG;
        return format + 1;
    }
    return format;
}

/* The length of the text in bytes, without the terminating 0. Floating-point numbers and pointers become arbitrary text. */
static int format_text(char *to, size_t size, const char *format, va_list rest) {
    size_t room = size > 0 ? size - 1 : 0, count = 0;
    int is_too_large = 0;
    for (; *format != 0; format++) {
        if (*format != '%') {
            count = __kerf_print_literal(to, room, count, format, 1);
            continue;
        }
        format++;
        int flags = 0, width = 0, precision = -1, number;
        for (;; format++) {
            if (*format == '-')
                flags |= LEFT;
            else if (*format == '+')
                flags |= PLUS;
            else if (*format == ' ')
                flags |= BLANK;
            else if (*format == '#')
                flags |= ALTERNATIVE;
            else if (*format == '0')
                flags |= ZEROS;
            else
                break;
        }
        if (*format == '*') {
            format++;
            width = va_arg(rest, int);
            is_too_large = width == INT_MIN;
            if (width < 0) {
                flags |= LEFT;
                width = is_too_large ? 0 : -width;
            }
        } else {
            format = read_number(format, &number);
            width = number;
            is_too_large = width < 0;
        }
        if (*format == '.') {
            format++;
            if (*format == '*') {
                format++;
                precision = va_arg(rest, int);
            } else {
                format = read_number(format, &number);
                precision = number;
                is_too_large |= precision < 0;
            }
        }
        if (is_too_large)
            break;
        int length;
        const char *modifier = format;
        format = read_size(format, &length);
        char letter = *format;
        switch (letter) {
        case '%':
            PUT('%');
            break;
        case 'd':
        case 'i': {
            long long n = length == SIZE_LONG_LONG ? va_arg(rest, long long)
                          : length == SIZE_LONG    ? va_arg(rest, long)
                                                   : va_arg(rest, int);
            n = length == SIZE_CHAR ? (signed char)n : length == SIZE_SHORT ? (short)n : n;
            count = __kerf_print_number(to, room, count, flags, width, precision, letter,
                                        n < 0 ? 0ull - (unsigned long long)n : (unsigned long long)n, n < 0);
            break;
        }
        case 'u':
        case 'o':
        case 'x':
        case 'X': {
            unsigned long long n = length == SIZE_LONG_LONG ? va_arg(rest, unsigned long long)
                                   : length == SIZE_LONG    ? va_arg(rest, unsigned long)
                                                            : va_arg(rest, unsigned);
            n = length == SIZE_CHAR ? (unsigned char)n : length == SIZE_SHORT ? (unsigned short)n : n;
            count = __kerf_print_number(to, room, count, flags, width, precision, letter, n, 0);
            break;
        }
        case 'c':
        case 's':
            if (length == SIZE_LONG)
                __kerf_unsupported("wide characters in a format");
            if (letter == 's')
                count = __kerf_print_text(to, room, count, flags, width, precision, va_arg(rest, const char *));
            else
                count = __kerf_print_char(to, room, count, flags, width, va_arg(rest, int));
            break;
        case 'p':
            (void)va_arg(rest, void *);
            count = __kerf_print_unknown(to, room, count, width, precision);
            break;
        case 'e':
        case 'E':
        case 'f':
        case 'F':
        case 'g':
        case 'G':
        case 'a':
        case 'A':
            if (*modifier == 'L')
                (void)va_arg(rest, long double);
            else
                (void)va_arg(rest, double);
            count = __kerf_print_unknown(to, room, count, width, precision);
            break;
        case 'n':
            switch (length) {
            case SIZE_CHAR:
                *va_arg(rest, signed char *) = (signed char)count;
                break;
            case SIZE_SHORT:
                *va_arg(rest, short *) = (short)count;
                break;
            case SIZE_INT:
                *va_arg(rest, int *) = (int)count;
                break;
            case SIZE_LONG:
                *va_arg(rest, long *) = (long)count;
                break;
            default:
                *va_arg(rest, long long *) = (long long)count;
            }
            break;
        default:
            __kerf_unsupported("a conversion in a format");
            return -1;
        }
    }
    return __kerf_print_end(to, size, count, is_too_large);
}

/* The size for "as much as needed"; the analysis checks the object's own size. */
#define UNBOUNDED ((size_t)-1)

#define FORMAT_INTO(to, size)                    \
    va_list rest;                                \
    va_start(rest, format);                      \
    int n = format_text(to, size, format, rest); \
    va_end(rest);                                \
    return n

/* POSIX allows a failure if the size exceeds INT_MAX. */
static int is_too_large_for_int(size_t size) {
    if (size <= INT_MAX || !otherwise())
        return 0;
    errno = TOO_LARGE;
    return 1;
}

/* Exact for %d %i %u %o %x %X %c %s %n %%; %f and the like and %p give arbitrary text; wide characters are unsupported. */
int sprintf(char *to, const char *format, ...) { FORMAT_INTO(to, UNBOUNDED); }
int snprintf(char *to, size_t size, const char *format, ...) {
    if (is_too_large_for_int(size))
        return -1;
    FORMAT_INTO(to, size);
}
int vsprintf(char *to, const char *format, va_list rest) { return format_text(to, UNBOUNDED, format, rest); }
int vsnprintf(char *to, size_t size, const char *format, va_list rest) {
    return is_too_large_for_int(size) ? -1 : format_text(to, size, format, rest);
}

/* The text in a new block. What the first pass does not know (the length of a number that is not computed) is the same in the second. */
static int format_block(char **to, const char *format, va_list rest) {
    va_list again;
    va_copy(again, rest);
    int length = format_text(NULL, 0, format, rest);
    if (length < 0)
        __kerf_unsupported("asprintf of a text that is too long");
    char *text = malloc((size_t)length + 1);
    int n = format_text(text, (size_t)length + 1, format, again);
    va_end(again);
    __kerf_assume(n == length);
    *to = text;
    return n;
}
int vasprintf(char **to, const char *format, va_list rest) { return format_block(to, format, rest); }
int asprintf(char **to, const char *format, ...) {
    va_list rest;
    va_start(rest, format);
    int n = format_block(to, format, rest);
    va_end(rest);
    return n;
}
int __vasprintf_chk(char **to, int flag, const char *format, va_list rest) {
    (void)flag;
    return format_block(to, format, rest);
}
int __asprintf_chk(char **to, int flag, const char *format, ...) {
    (void)flag;
    va_list rest;
    va_start(rest, format);
    int n = format_block(to, format, rest);
    va_end(rest);
    return n;
}

/* Aborts if a text with its terminating 0 was too long for its object; front-end and __sprintf_chk call it after printing. */
int __kerf_print_fits(int length, size_t room) {
    if (length >= 0 && (size_t)length >= room)
        abort();
    return length;
}

/* Like the plain functions, but they abort if the object is too small, which is detected after writing. */
int __sprintf_chk(char *to, int flag, size_t room, const char *format, ...) {
    (void)flag;
    va_list rest;
    va_start(rest, format);
    int n = format_text(to, room, format, rest);
    va_end(rest);
    return __kerf_print_fits(n, room);
}
int __snprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, ...) {
    (void)flag;
    if (size > room)
        abort();
    if (is_too_large_for_int(size))
        return -1;
    FORMAT_INTO(to, size);
}

/* Before reading, glibc may write what is still to be printed. */
static void may_flush(void) {
    if (otherwise())
        flush_may_have_failed = 1;
}

/* Reads one character: any character, or EOF. */
#define any_character(from)                \
    ({                                     \
        may_set_errno();                   \
        may_flush();                       \
        int c = END_OF_FILE;               \
        if (has_pushed(from)) {            \
            c = (from)->pushed - 1;        \
            (from)->pushed = 0;            \
        } else if (!is_over(from)) {       \
            if (maybe()) {                 \
                c = __kerf_nondet_uchar(); \
                __kerf_delivery("character", file_of(from), NULL, (unsigned long long)c, 0); \
            } else                         \
                read_in_vain(from);        \
        }                                  \
        c;                                 \
    })

#pragma clang attribute push(__attribute__((KNOWS_STREAMS)), apply_to = function)

/* Any character, or EOF, which a stream that has ended typically gives again. */
int getchar(void) { return any_character(INPUT); }
int getc(FILE *from) { return look_at(from), any_character(from); }
int fgetc(FILE *from) { return look_at(from), any_character(from); }
int _IO_getc(FILE *from) { return look_at(from), any_character(from); }

/* A line of n bytes ends with its delimiter, or where the file ends. After an error, only a stream that does not wait gives what it has. Whether it
 * is so is drawn for each line, so that the replay can end a line sooner, with the same draws. */
static void end_line(FILE *from, const char *line, size_t n, int delimiter, int is_broken) {
    if (n > 0 && line[n - 1] == (char)delimiter)
        return;
    if (is_broken)
        from->broken = 1;
    else
        from->ended = 1;
}

/* NULL (after an error the bytes are arbitrary), or any text of 1 to size - 1 bytes. That only its last byte can be a newline is known
 * for alarms, not for proofs. glibc reads nothing if there is only room for the final 0. */
char *fgets(char *to, int size, FILE *from) {
    look_at(from);
    may_set_errno();
    if (size <= 0)
        return NULL;
    if (size == 1 && !otherwise()) {
        to[0] = 0;
        return to;
    }
    may_flush();
    int is_pushed = has_pushed(from);
    if (!is_pushed && is_over(from))
        return NULL;
    if (maybe()) {
        if (is_pushed)
            from->broken = 1, from->pushed = 0;
        else
            read_in_vain(from);
        if (otherwise() || is_pushed)
            __kerf_approx_bytes(to, (size_t)size);
        return NULL;
    }
    if (is_pushed)
        from->pushed = 0;
    size_t n = at_most((size_t)size - 1);
    __kerf_assume(n > 0 || size == 1);
    if (is_pushed)
        __kerf_approx_bytes(to, n);
    else
        __kerf_havoc(to, n);
    int is_broken = otherwise();
    if (n < (size_t)size - 1)
        end_line(from, to, n, '\n', is_broken);
    if (!is_pushed)
        __kerf_delivery("line", file_of(from), to, n, '\n');
    to[n] = 0;
    return to;
}

/* NULL (after an error the bytes are arbitrary), or any text that fits (a longer one would be an invalid access). */
char *gets(char *to) {
    may_set_errno();
    may_flush();
    if (has_pushed(INPUT))
        __kerf_unsupported("gets after ungetc");
    if (is_over(INPUT))
        return NULL;
    size_t n = __kerf_nondet_ulong();
    if (maybe()) {
        read_in_vain(INPUT);
        if (otherwise())
            __kerf_approx_bytes(to, n);
        return NULL;
    }
    may_see_end(INPUT);
    __kerf_approx_bytes(to, n);
    to[n] = 0;
    return to;
}

/* 0 to count units of arbitrary bytes, and possibly a part of another one. */
size_t fread(void *to, size_t size, size_t count, FILE *from) {
    look_at(from);
    if (size == 0 || count == 0)
        return 0;
    may_flush();
    may_set_errno();
    int is_pushed = has_pushed(from);
    if (!is_pushed && is_over(from))
        return 0;
    size_t n = at_most(count);
    // A unit of several bytes may end after the one that was pushed back.
    __kerf_assume(!is_pushed || n > 0 || size > 1);
    __kerf_havoc(to, n * size);
    if (is_pushed && n * size > 0)
        __kerf_delivery("bytes", file_of(from), (char *)to + 1, n * size - 1, 0);
    else if (!is_pushed)
        __kerf_delivery("bytes", file_of(from), to, n * size, 0);
    if (is_pushed) {
        *(unsigned char *)to = (unsigned char)(from->pushed - 1);
        from->pushed = 0;
    }
    if (n == count)
        return n;
    read_in_vain(from);
    if (size > 1 && otherwise())
        __kerf_approx_bytes((char *)to + n * size, size - 1);
    return n;
}

static long read_line(char **line, size_t *size, int delimiter, FILE *from) {
    if (line == NULL || size == NULL) {
        errno = NOT_VALID;
        return -1;
    }
    may_set_errno();
    may_flush();
    if (has_pushed(from))
        __kerf_unsupported("getline after ungetc");
    if (is_over(from) || maybe()) {
        // Memory may be short, too.
        if (!from->ended && !otherwise())
            read_in_vain(from);
        // A block may have been allocated or enlarged nevertheless, and may contain what was read before an error.
        if (*line == NULL ? maybe() : otherwise())
            make_room(line, size, *line == NULL ? 0 : *size);
        if (*line != NULL && otherwise())
            __kerf_approx_bytes(*line, *size);
        return -1;
    }
    size_t n = __kerf_nondet_ulong();
    __kerf_assume(n > 0 && n < LONG_MAX);
    if ((*line == NULL || *size <= n) && !make_room(line, size, n))
        return -1;
    __kerf_havoc(*line, n);
    end_line(from, *line, n, delimiter, otherwise());
    __kerf_delivery("line", file_of(from), *line, n, (unsigned char)delimiter);
    (*line)[n] = 0;
    return (long)n;
}

/* -1, or any text of any length. That the delimiter can only be its last byte is known for alarms, not for proofs. */
long getline(char **line, size_t *size, FILE *from) { return look_at(from), read_line(line, size, '\n', from); }
long getdelim(char **line, size_t *size, int end, FILE *from) { return look_at(from), read_line(line, size, end, from); }

static FILE *new_stream(int handle) {
    FILE *stream = maybe() ? malloc(sizeof(FILE)) : NULL;
    if (stream == NULL) {
        (void)failed();
        return NULL;
    }
    stream->handle = handle;
    stream->ended = stream->broken = stream->only_for_reading = stream->only_for_writing = stream->pushed = 0;
    may_set_errno();
    return stream;
}

/* Whether the mode begins with a letter that is not one of `letters`: all implementations refuse it. */
static int is_no_mode(const char *mode, const char *letters) {
    for (; *letters != 0; letters++)
        if (*mode == *letters)
            return 0;
    errno = NOT_VALID;
    return 1;
}

/* The stream, or NULL, with this mode. */
static FILE *with_mode(FILE *stream, const char *mode) {
    int is_for_both = 0;
    for (const char *at = mode; *at != 0; at++)
        if (*at == '+')
            is_for_both = 1;
    if (stream != NULL && !is_for_both) {
        stream->only_for_reading = *mode == 'r';
        stream->only_for_writing = *mode == 'w' || *mode == 'a';
    }
    return stream;
}

/* A stream with a file descriptor that is not in use. Which one is drawn when it is asked for, because no alarm may rest on it. */
static FILE *new_file(void) {
    __kerf_handles_changed = 1;
    return new_stream(NOT_DRAWN);
}

/* NULL, or a new stream; the contents of the file are not modelled. */
FILE *fopen(const char *path, const char *mode) {
    look_into(mode);
    if (is_no_mode(mode, "rwa") || is_no_path(path))
        return NULL;
    FILE *stream = with_mode(new_file(), mode);
    if (stream == NULL)
        __kerf_delivery("not opened", 0, path, 0, 0);
    else if (*mode == 'r')
        __kerf_delivery("opened", (size_t)stream, path, 0, 0);
    else if (*mode == 'w')
        __kerf_delivery("written", (size_t)stream, path, 0, 0);
    return stream;
}
FILE *fdopen(int handle, const char *mode) {
    look_into(mode);
    if (is_no_mode(mode, "rwa"))
        return NULL;
    if (handle >= 0)
        return with_mode(new_stream(handle), mode);
    errno = BAD_HANDLE;
    return NULL;
}
FILE *tmpfile(void) {
    FILE *stream = new_file();
    if (stream != NULL)
        __kerf_delivery("written", (size_t)stream, "", 0, 0);
    return stream;
}
FILE *popen(const char *command, const char *mode) {
    // A null address is no command for POSIX; with glibc, the shell reports it.
    if (command != NULL || !otherwise())
        look_into(command);
    // A pipe has one direction. glibc looks for it in all letters and knows only one beside it, musl looks at the first letter only.
    int is_read = 0, is_written = 0, is_known = 1;
    for (const char *at = mode; *at != 0; at++) {
        is_read |= *at == 'r', is_written |= *at == 'w';
        is_known &= *at == 'r' || *at == 'w' || *at == 'e';
    }
    int is_mode = is_known && is_read != is_written, begins = *mode == 'r' || *mode == 'w';
    if (is_mode != begins && otherwise())
        is_mode = begins, is_read = *mode == 'r';
    if (!is_mode) {
        errno = NOT_VALID;
        return NULL;
    }
    return with_mode(new_file(), is_read ? "r" : "w");
}

/* Pushes a character back, which reading gives first: exact for one character; glibc has room for more. */
int ungetc(int c, FILE *to) {
    look_at(to);
    if (c == END_OF_FILE)
        return END_OF_FILE;
    if (to->pushed != 0 || to->only_for_writing)
        __kerf_unsupported("ungetc twice, or on a stream for writing");
    __kerf_pushed_back = 1;
    to->pushed = (unsigned char)c + 1;
    to->ended = 0;
    return (unsigned char)c;
}

/* Whether a stream could not be opened again: closing it then fails without a reason. */
static int reopening_failed;

/* NULL, and nothing can be read or written any more; or the stream, with another file. As in glibc, the stream is still to be closed. */
FILE *freopen(const char *path, const char *mode, FILE *stream) {
    look_at(stream), look_into(mode);
    __kerf_handles_changed = 1;
    if (path == NULL)
        __kerf_unsupported("freopen without a path");
    if (is_no_mode(mode, "rwa") || is_no_path(path) || maybe()) {
        reopening_failed = 1;
        stream->handle = CLOSED;
        stream->ended |= maybe();
        stream->broken |= maybe();
        (void)failed();
        return NULL;
    }
    if (stream->handle > 2 || stream->handle == CLOSED)
        stream->handle = NOT_DRAWN;
    if (*mode == 'r')
        __kerf_delivery("opened", file_of(stream), path, 0, 0);
    stream->ended = stream->broken = stream->only_for_reading = stream->only_for_writing = stream->pushed = 0;
    may_set_errno();
    return with_mode(stream, mode);
}

/* Closes the stream; the result is 0 or EOF. */
int fclose(FILE *stream) {
    look_at(stream);
    __kerf_handles_changed = 1;
    if (stream != &standard_input && stream != &standard_output && stream != &standard_error)
        free(stream);
    else
        __kerf_assumption("no stream is opened where stdin, stdout or stderr lay before it was closed");
    return reopening_failed && maybe() ? END_OF_FILE : done_or_failed();
}

/* Closes the stream; the status is that of any process, or -1. */
int pclose(FILE *stream) {
    look_at(stream);
    __kerf_handles_changed = 1;
    free(stream);
    may_set_errno();
    return any_status();
}

int fflush(FILE *stream) {
    // Whether the character is dropped depends on the version.
    if (stream != NULL && has_pushed(stream))
        __kerf_unsupported("fflush after ungetc");
    if (maybe())
        return 0;
    __kerf_output_may_have_failed = 1;
    return failed();
}

/* Exact, except for streams after output and for assignments to stdin and stdout. */
static int flag(int is_set) { return is_set ? any_but_zero(1) : 0; }
static int is_other(void) { return (stdin != INPUT || stdout != OUTPUT) && otherwise(); }
int feof(FILE *stream) { return flag(stream->ended || is_other()); }
int ferror(FILE *stream) {
    int after_output = (__kerf_output_may_have_failed && (stream != INPUT || input_is_printed_to)) || (flush_may_have_failed && stream == OUTPUT);
    return flag(stream->broken || is_other() || (after_output && (__kerf_approx_int() & 1) != 0));
}
void clearerr(FILE *stream) { stream->ended = stream->broken = 0; }
int fileno(FILE *stream) {
    if (stream->handle == NOT_DRAWN)
        stream->handle = __kerf_approx_int() & INT_MAX;
    if (stream->handle == CLOSED) {
        errno = BAD_HANDLE;
        return -1;
    }
    return stream->handle;
}

/* SEEK_HOLE, glibc's last one; the first is 0. */
enum { LAST_WHENCE = 4 };

/* 0 or a failure; positions are not modelled. What was printed may be written, which may fail. */
int fseek(FILE *stream, long offset, int whence) {
    look_at(stream);
    if (whence < 0 || whence > LAST_WHENCE) {
        errno = NOT_VALID;
        return any_but_zero(-1);
    }
    // POSIX has no places before the beginning.
    int is_before = whence == 0 && offset < 0 && !otherwise();
    if (is_before || maybe()) {
        __kerf_output_may_have_failed = 1;
        return failed(), any_but_zero(-1);
    }
    stream->ended = 0;
    if (__kerf_pushed_back)
        stream->pushed = 0;
    __kerf_delivery("moved", file_of(stream), NULL, 0, 0);
    return 0;
}
void rewind(FILE *stream) {
    __kerf_delivery("moved", file_of(stream), NULL, 0, 0);
    stream->ended = stream->broken = 0;
    if (__kerf_pushed_back)
        stream->pushed = 0;
    may_set_errno();
}

/* A buffer provided by the program is unsupported, because the stream may write to it later. */
static void set_buffer(const char *buffer) {
    if (buffer != NULL)
        __kerf_unsupported("a buffer for a stream");
}
int setvbuf(FILE *stream, char *buffer, int mode, size_t size) {
    look_at(stream), (void)size;
    may_set_errno();
    // _IOFBF, _IOLBF and _IONBF.
    if (mode < 0 || mode > 2)
        return any_but_zero(-1);
    set_buffer(buffer);
    return maybe() ? 0 : any_but_zero(-1);
}
void setbuf(FILE *stream, char *buffer) { look_at(stream), set_buffer(buffer); }
void setlinebuf(FILE *stream) { look_at(stream); }
/* Any position, or a failure. */
long ftell(FILE *stream) {
    look_at(stream);
    if (maybe())
        return failed();
    return (long)(__kerf_approx_ulong() & LONG_MAX);
}
static int done_or_not(void) { return maybe() ? 0 : (failed(), any_but_zero(-1)); }
int remove(const char *path) { return is_no_path(path) ? any_but_zero(-1) : done_or_not(); }
int rename(const char *from, const char *to) {
    return is_no_path(from) || is_no_path(to) ? any_but_zero(-1) : done_or_not();
}

#pragma clang attribute pop
