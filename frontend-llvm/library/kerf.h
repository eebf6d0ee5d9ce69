/* The primitives with which the models of the C library are written.
 *
 * Each model stands for the function of the same name, and is lowered if the program calls that function without defining it.
 * Models call only static helpers and the primitives below, so a program that defines its own `strlen` does
 * not change `strdup`. The comment before each model says what it leaves out ("exact": nothing).
 *
 * There are two kinds of arbitrary values, because only one of them can justify an alarm:
 *   __kerf_nondet_T   the real environment can yield every one of these values (a clock, a file, a random number);
 *   __kerf_approx_T   the real function computes one of these values, but the model does not know which (sin, "%f").
 * Neither kind is an input of the program. A function that has no model and is not a primitive is unsupported if its name is in
 * names.txt. */
#ifndef KERF_H
#define KERF_H

#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* The front-end gives these their meaning. */
unsigned char __kerf_nondet_uchar(void);
int __kerf_nondet_int(void);
unsigned __kerf_nondet_uint(void);
long __kerf_nondet_long(void);
unsigned long __kerf_nondet_ulong(void);
long long __kerf_nondet_longlong(void);
unsigned long long __kerf_nondet_ulonglong(void);
float __kerf_nondet_float(void);
double __kerf_nondet_double(void);
long double __kerf_nondet_longdouble(void);
int __kerf_approx_int(void);
unsigned long __kerf_approx_ulong(void);
float __kerf_approx_float(void);
double __kerf_approx_double(void);
long double __kerf_approx_longdouble(void);

/* Make the n bytes at p arbitrary: nondet, and approx for bytes that the real function would have computed. */
void __kerf_havoc(void *p, size_t n);
void __kerf_approx_bytes(void *p, size_t n);

/* Executions with holds == 0 do not exist. */
void __kerf_assume(int holds);

/* The verdict rests on this assumption, which is printed. The model must exclude everything else. */
void __kerf_assumption(const char *what);

/* The same for an assumption about all that may happen from here on, also where the program itself comes to no error. */
void __kerf_assumption_throughout(const char *what);

/* Says that `n` bytes were copied: C leaves open what happens if both ranges overlap. */
void __kerf_apart(const void *to, const void *from, size_t n);

/* Says what has arrived from outside, for reports and native runs; nothing else depends on it. `of` is the file, or the address of a
 * variable's name. There are:
 *   "variable"     the text at `at` is the value of the environment variable; no such variable if it is null
 *   "bytes"        the next n bytes of the file
 *   "line"         likewise, and no alarm may rest on bytes of which another one but the last is `detail`
 *   "character"    the next character of the file is n
 *   "literal"      likewise, because a format says so
 *   "blank"        white space is skipped, if there is any
 *   "word"         the next word, which white space ends, or the width `detail` if that is not 0
 *   "number"       the number n comes next, as printf writes it with the letter `detail` & 255, in a width of at most `detail` >> 8
 *   "skipped"      something was read, but it is not known what
 *   "mismatch"     what comes next is not what was wanted, and stays
 *   "unreadable"   the file is open for writing only
 *   "written"      the file has only what the program writes, which is not modelled
 *   "opened"       the file `of` has the path at `at`
 *   "not opened"   the file with the path at `at` cannot be opened
 *   "moved"        reading goes on at another place of the file
 *   "folder"       the folder `of` has the path at `at`
 *   "name"         the next entry of the folder has the name at `at`, `detail` bytes behind its beginning, and n bytes, and no alarm may rest on
 *                  a name that no folder can have, or that has another size */
void __kerf_delivery(const char *what, size_t of, const void *at, unsigned long long n, unsigned long long detail);

/* Whether the program may look at errno; a constant. */
int __kerf_errno_is_read(void);

/* How the program uses the environment besides getenv; a constant. */
enum { ENVIRONMENT_UNUSED, ENVIRONMENT_READ, ENVIRONMENT_CHANGED };
int __kerf_environment_use(void);

/* Whether signals arrive that other processes send, or the system; a constant. */
int __kerf_signals_arrive(void);

/* Whether the program calls sigsetjmp such that it saves the mask of signals; a constant. */
int __kerf_masks_are_saved(void);

/* No slice that is written can contain what is modelled, as it depends on more than the graph shows; nothing otherwise. */
void __kerf_unsliceable(const char *what);

/* The model ends here: adds an unsupported edge, with `what` as the reason. */
void __kerf_unsupported(const char *what);

/* New memory that the real function takes from elsewhere than from malloc, which the program may replace. */
void *__kerf_block(size_t size);

/* Primitives of the front-end that have the names of C library functions. */
void *malloc(size_t size);
void *realloc(void *block, size_t size);
void free(void *block);
void abort(void) __attribute__((noreturn));
int *__errno_location(void);

/* errno is an object of the library (misc.c). */
#define errno (*__errno_location())
enum { NO_ENTRY = 2, BAD_HANDLE = 9, NO_MEMORY = 12, BAD_ADDRESS = 14, NOT_VALID = 22, OUT_OF_DOMAIN = 33, OUT_OF_RANGE = 34, TOO_LARGE = 75 };

/* A stream is a block of memory, so that a missing fclose is a leak and using the stream after fclose is a use after free. It is as
 * large as glibc's. It has a file descriptor, and says whether its end was seen, whether an operation failed, what its mode
 * forbids, and what was pushed back. The fields that <stdio.h> shows are not modelled, so that an access to a stream is unsupported, unless it happens
 * in functions that know them. The streams are the variables of the other section and the blocks that these functions allocate. */
#define KNOWS_STREAMS section("kerf.streams")
#define IS_STREAM section("kerf.streams.data")
struct stream {
    int handle, ended, broken, only_for_reading, only_for_writing;
    /* The character that was pushed back, plus 1; 0 if there is none. */
    int pushed;
    char unused[sizeof(void *) == 8 ? 192 : 124];
} __attribute__((aligned(sizeof(void *))));
typedef struct stream FILE;
enum { END_OF_FILE = -1, NOT_DRAWN = -1, CLOSED = -2 };

/* Read from a stream or a text: an execution ends if the pointer is null, as in glibc. */
__attribute__((KNOWS_STREAMS)) static inline void look_at(const FILE *stream) {
    static int handle;
    handle = stream->handle;
}
static inline void look_into(const char *text) {
    static char first;
    first = *text;
}

/* What deliveries call a file: the number of its descriptor, or the address of its stream. */
#define file_of(from) ((from)->handle == NOT_DRAWN ? (size_t)(from) : (size_t)(from)->handle)

/* Whether file descriptors other than those that open counts may be in use, or counted ones free again (misc.c). */
extern int __kerf_handles_changed;

/* Whether output may have failed, on some stream (stdio.c). */
extern int __kerf_output_may_have_failed;

/* Whether a character was ever pushed back, on some stream (stdio.c). */
extern int __kerf_pushed_back;

/* Whether reading from a stream begins with a character that was pushed back. */
#define has_pushed(from) (__kerf_pushed_back && (from)->pushed != 0)

/* The number of the process; 0 if it was not asked for (misc.c). */
extern int __kerf_own_id;
static inline int own_id(void) {
    if (__kerf_own_id == 0) {
        __kerf_own_id = __kerf_nondet_int();
        __kerf_assume(__kerf_own_id > 0);
    }
    return __kerf_own_id;
}

/* Whether the program asked for the time, and the last answer (misc.c). */
extern int __kerf_time_known;
extern unsigned __kerf_time;

/* True or false, chosen by the environment. */
static inline int maybe(void) { return (__kerf_nondet_uchar() & 1) != 0; }

/* Behaviour that ISO C leaves unspecified and for which glibc has one answer: the result is that answer, or any other. An alarm
 * may rest on glibc's answer, which the environment chooses, but not on another; a proof must hold for all of them. */

/* True or false; glibc says false. */
static inline int otherwise(void) {
    if (!maybe())
        return 0;
    /* If this was not to be, no alarm rests on what was drawn. */
    __kerf_assume((__kerf_approx_int() & 1) != 0);
    return 1;
}

/* What follows are macros so that accesses to a standard stream have a constant address.
 *
 * Reading gave less than wanted: the stream is at its end, or an error occurred. */
#define read_in_vain(from)      \
    do {                        \
        if (maybe())            \
            (from)->ended = 1;  \
        else                    \
            (from)->broken = 1; \
    } while (0)

/* Whether nothing can be read because the end was seen before. Before version 2.28, glibc tried again. */
#define is_over(from) (((from)->ended || ((from)->only_for_writing && ((from)->broken = 1))) && !otherwise())

/* Reading may have looked beyond what it took, and found the end or an error. */
#define may_see_end(from)       \
    do {                        \
        if (maybe())            \
            read_in_vain(from); \
    } while (0)

/* Whether no file can have this name; sets errno. */
static inline int is_no_path(const char *path) {
    if (path != NULL && *path != 0)
        return 0;
    errno = path == NULL ? BAD_ADDRESS : NO_ENTRY;
    return 1;
}

/* Any status of a process, as Linux encodes it: the number of the signal that ended it, or its exit code; or -1. */
static inline int any_status(void) {
    int status = __kerf_nondet_int();
    int is_code = (status & ~0xff00) == 0, is_signal = (status & ~0xff) == 0 && (status & 0x7f) != 0x7f;
    __kerf_assume(status == -1 || is_code || is_signal);
    return status;
}

/* Any number but 0; glibc gives `typical`. */
static inline int any_but_zero(int typical) {
    if (!maybe())
        return typical;
    int n = __kerf_approx_int();
    __kerf_assume(n != 0);
    return n;
}

/* Any number with the sign of `typical`, which is glibc's value. */
static inline int any_of_sign(int typical) {
    if (typical == 0 || !maybe())
        return typical;
    int n = __kerf_approx_int();
    __kerf_assume(n != 0 && (n < 0) == (typical < 0));
    return n;
}

/* The call failed for some reason: sets errno to any of Linux's numbers, and returns -1. */
static inline int failed(void) {
    if (__kerf_errno_is_read()) {
        int n = __kerf_nondet_int();
        __kerf_assume(n > 0 && n <= 133);
        errno = n;
    }
    return -1;
}

/* 0, or a failure. */
static inline int done_or_failed(void) { return maybe() ? 0 : failed(); }

/* The same for a call that names a file. */
static inline int at_path(const char *path) { return is_no_path(path) ? -1 : done_or_failed(); }

/* A call may leave errno set, whether it succeeds or not; glibc's functions do not if they succeed. This is not a function, so that a slice for one model contains nothing
 * of the others. */
#define may_set_errno()                              \
    do {                                             \
        if (__kerf_errno_is_read() && otherwise())   \
            (void)failed();                          \
    } while (0)

#endif
