#define _GNU_SOURCE
#include <arpa/inet.h>
#include <ctype.h>
#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <malloc.h>
#include <math.h>
#include <pthread.h>
#include <poll.h>
#include <regex.h>
#include <sched.h>
#include <search.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>
#include <wchar.h>
#include <wctype.h>

// Functions that the headers do not declare.
int __finite(double);
int __finitef(float);
int __finitel(long double);
int __fpclassify(double);
int __fpclassifyf(float);
int __fpclassifyl(long double);
int __isinf(double);
int __isinff(float);
int __isinfl(long double);
int __isnan(double);
int __isnanf(float);
int __isnanl(long double);
int __signbit(double);
int __signbitf(float);
int __signbitl(long double);
int _IO_getc(FILE *);
char *__xpg_basename(char *);
char *dirname(char *);
int _IO_putc(int, FILE *);
char *gets(char *);
char *__strdup(const char *);
void *__memcpy_chk(void *, const void *, size_t, size_t);
void *__memmove_chk(void *, const void *, size_t, size_t);
void *__memset_chk(void *, int, size_t, size_t);
void *__mempcpy_chk(void *, const void *, size_t, size_t);
char *__strcpy_chk(char *, const char *, size_t);
char *__strcat_chk(char *, const char *, size_t);
char *__strncpy_chk(char *, const char *, size_t, size_t);
char *__strncat_chk(char *, const char *, size_t, size_t);
int __printf_chk(int, const char *, ...);
int __fprintf_chk(FILE *, int, const char *, ...);
int __vprintf_chk(int, const char *, va_list);
int __vfprintf_chk(FILE *, int, const char *, va_list);
int __sprintf_chk(char *, int, size_t, const char *, ...);
int __snprintf_chk(char *, size_t, int, size_t, const char *, ...);
int asprintf(char **, const char *, ...);
int vasprintf(char **, const char *, va_list);
int __asprintf_chk(char **, int, const char *, ...);
int __vasprintf_chk(char **, int, const char *, va_list);
#ifdef NATIVE
// Names of newer headers for the same functions.
#define __isoc23_scanf scanf
#define __isoc23_fscanf fscanf
#define __isoc23_sscanf sscanf
#define __isoc23_strtol strtol
#define __isoc23_strtoll strtoll
#define __isoc23_strtoul strtoul
#define __isoc23_strtoull strtoull
#define __isoc99_scanf scanf
#define __isoc99_fscanf fscanf
#define __isoc99_sscanf sscanf
#define __isoc99_vscanf vscanf
#define __isoc99_vfscanf vfscanf
#define __isoc99_vsscanf vsscanf
#else
int __isoc23_scanf(const char *, ...);
int __isoc23_fscanf(FILE *, const char *, ...);
int __isoc23_sscanf(const char *, const char *, ...);
long __isoc23_strtol(const char *, char **, int);
long long __isoc23_strtoll(const char *, char **, int);
unsigned long __isoc23_strtoul(const char *, char **, int);
unsigned long long __isoc23_strtoull(const char *, char **, int);
int __isoc99_scanf(const char *, ...);
int __isoc99_fscanf(FILE *, const char *, ...);
int __isoc99_sscanf(const char *, const char *, ...);
int __isoc99_vscanf(const char *, va_list);
int __isoc99_vfscanf(FILE *, const char *, va_list);
int __isoc99_vsscanf(const char *, const char *, va_list);
#endif
// The headers redirect calls of these functions to others.
int plain_scanf(const char *, ...) __asm__("scanf");
int plain_fscanf(FILE *, const char *, ...) __asm__("fscanf");
int plain_sscanf(const char *, const char *, ...) __asm__("sscanf");
int plain_vscanf(const char *, va_list) __asm__("vscanf");
int plain_vfscanf(FILE *, const char *, va_list) __asm__("vfscanf");
int plain_vsscanf(const char *, const char *, va_list) __asm__("vsscanf");

// Functions that take a list of arguments, as functions that take arguments.
#define BY_LIST(name, parameters, arguments) \
    static int with_list_##name parameters { \
        va_list rest;                        \
        va_start(rest, format);              \
        int n = name arguments;              \
        va_end(rest);                        \
        return n;                            \
    }
BY_LIST(vprintf, (const char *format, ...), (format, rest))
BY_LIST(vfprintf, (FILE * to, const char *format, ...), (to, format, rest))
BY_LIST(vsprintf, (char *to, const char *format, ...), (to, format, rest))
BY_LIST(vsnprintf, (char *to, size_t size, const char *format, ...), (to, size, format, rest))
BY_LIST(vasprintf, (char **to, const char *format, ...), (to, format, rest))
BY_LIST(__vasprintf_chk, (char **to, int flag, const char *format, ...), (to, flag, format, rest))
BY_LIST(__vprintf_chk, (int flag, const char *format, ...), (flag, format, rest))
BY_LIST(__vfprintf_chk, (FILE * to, int flag, const char *format, ...), (to, flag, format, rest))
BY_LIST(plain_vscanf, (const char *format, ...), (format, rest))
BY_LIST(plain_vfscanf, (FILE * from, const char *format, ...), (from, format, rest))
BY_LIST(plain_vsscanf, (const char *text, const char *format, ...), (text, format, rest))
BY_LIST(__isoc99_vscanf, (const char *format, ...), (format, rest))
BY_LIST(__isoc99_vfscanf, (FILE * from, const char *format, ...), (from, format, rest))
BY_LIST(__isoc99_vsscanf, (const char *text, const char *format, ...), (text, format, rest))
// Integers that show the values of other types. All NaNs count as equal: their bits are unspecified.
typedef unsigned long long u64;
static u64 word(const void *at) {
    u64 w;
    memcpy(&w, at, sizeof w);
    return w;
}
static u64 bits(double x) {
    u64 w = 1;
    if (x == x) memcpy(&w, &x, sizeof x);
    return w;
}
static u64 bitsf(float x) {
    u64 w = 1;
    if (x == x) w = 0, memcpy(&w, &x, sizeof x);
    return w;
}
static u64 bitsl(long double x) {
    u64 w = 1;
    if (x == x) memcpy(&w, &x, sizeof w);
    return w;
}
static u64 highl(long double x) {
    u64 w = 1;
    if (x == x) w = 0, memcpy(&w, (char *)&x + 8, 2);
    return w;
}
static long at(const void *p, const void *base) { return p == NULL ? -1 : (const char *)p - (const char *)base; }

// Comparisons.
static int by_value(const void *a, const void *b) { return *(const unsigned char *)a - *(const unsigned char *)b; }
static int by_half(const void *a, const void *b) { return *(const unsigned char *)a / 2 - *(const unsigned char *)b / 2; }
static int by_int(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}
static void nothing(void) {}
static int handled;
static void handler(int number) { handled = handled * 100 + number; }
static void other_handler(int number) { handled += 10 * number; }
static void note_once(void) { handled++; }
