/* errno, <time.h>, <unistd.h> and related headers: the clock and the system give arbitrary answers. */
#include "kerf.h"

struct tm {
    int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
    long tm_gmtoff;
    const char *tm_zone;
};

struct timeval {
    long seconds, microseconds;
};

struct timespec {
    long seconds, nanoseconds;
};

/* Exact for one thread. */
int *__errno_location(void) {
    static int number;
    return &number;
}

static long not_negative(void) {
    long n = __kerf_nondet_long();
    __kerf_assume(n >= 0);
    return n;
}

static long below(long limit) {
    long n = __kerf_nondet_long();
    __kerf_assume(n >= 0 && n < limit);
    return n;
}

int __kerf_time_known;
unsigned __kerf_time;

/* Any time from 1970 on, or -1; the model lets the time run backwards. */
long time(long *now) {
    long t = __kerf_nondet_long();
    __kerf_assume(t >= -1);
    __kerf_time_known = 1;
    __kerf_time = (unsigned)t;
    if (now != NULL)
        *now = t;
    return t;
}

/* Any time that is not before the last one, or -1. 32-bit numbers wrap around within about an hour. */
long clock(void) {
    static long last;
    long t = __kerf_nondet_long();
    __kerf_assume(t == -1 || t >= last || sizeof t == 4);
    if (t != -1)
        last = t;
    return t;
}

/* Exact if a double can represent the difference; otherwise typically rounded as glibc does, or any number of the same sign. */
double difftime(long later, long earlier) {
    double typical = (double)((long double)later - (long double)earlier);
    if ((typical > -0x1p53 && typical < 0x1p53) || !maybe())
        return typical;
    double r = __kerf_approx_double();
    __kerf_assume(typical < 0 ? r < 0 : r > 0);
    return r;
}

/* Any time; never fails. The time zone is two numbers, which are not modelled: newer versions of glibc say 0. */
int gettimeofday(struct timeval *now, void *zone) {
    if (zone != NULL)
        __kerf_approx_bytes(zone, 2 * sizeof(int));
    if (now != NULL) {
        now->seconds = not_negative();
        now->microseconds = below(1000000);
    }
    return 0;
}

/* Any time, or a failure that leaves *now unchanged. Only CLOCK_MONOTONIC (1) does not run backwards in the model. */
int clock_gettime(int clock_id, struct timespec *now) {
    static struct timespec last;
    // CLOCK_TAI (11) is Linux's last clock, and 10 is gone; negative numbers stand for clocks of processes and devices.
    if ((clock_id < 0 || clock_id == 10 || clock_id > 11) && !otherwise()) {
        errno = NOT_VALID;
        return -1;
    }
    // The kernel refuses a null address; glibc itself writes the times of clocks that it reads without the kernel.
    if (now == NULL && otherwise()) {
        errno = BAD_ADDRESS;
        return -1;
    }
    look_into((const char *)now);
    if (maybe())
        return failed();
    now->seconds = not_negative();
    now->nanoseconds = below(1000000000);
    if (clock_id == 1) {
        int is_later = now->seconds > last.seconds;
        __kerf_assume(is_later || (now->seconds == last.seconds && now->nanoseconds >= last.nanoseconds));
        last = *now;
    }
    return 0;
}

/* An arbitrary calendar date in an arbitrary time zone; which date belongs to the time is not modelled. */
static struct tm *date(struct tm *d) {
    d->tm_sec = __kerf_approx_int();
    d->tm_min = __kerf_approx_int();
    d->tm_hour = __kerf_approx_int();
    d->tm_mday = __kerf_approx_int();
    d->tm_mon = __kerf_approx_int();
    d->tm_year = __kerf_approx_int();
    d->tm_wday = __kerf_approx_int();
    d->tm_yday = __kerf_approx_int();
    d->tm_isdst = __kerf_approx_int();
    // Dates in different zones have the names of their zones at different addresses.
    static char one_zone[64], other_zone[64];
    char *zone = (__kerf_approx_ulong() & 1) == 0 ? one_zone : other_zone;
    __kerf_approx_bytes(zone, sizeof one_zone - 1);
    // TZ may give a zone a name as long as a variable of the environment.
    size_t size = __kerf_approx_ulong();
    char *long_name = size > sizeof one_zone && size <= 1 << 17 ? __kerf_block(size) : NULL;
    if (long_name != NULL) {
        __kerf_approx_bytes(long_name, size - 1);
        long_name[size - 1] = 0;
        zone = long_name;
    }
    d->tm_gmtoff = (long)__kerf_approx_ulong();
    d->tm_zone = zone;
    __kerf_assume(d->tm_sec >= 0 && d->tm_sec <= 60 && d->tm_min >= 0 && d->tm_min < 60 && d->tm_hour >= 0 && d->tm_hour < 24);
    __kerf_assume(d->tm_mday >= 1 && d->tm_mday <= 31 && d->tm_mon >= 0 && d->tm_mon < 12 && d->tm_wday >= 0 && d->tm_wday < 7);
    __kerf_assume(d->tm_yday >= 0 && d->tm_yday < 366);
    return d;
}

static struct tm *date_or_failure(struct tm *d) {
    may_set_errno();
    if (!otherwise())
        return date(d);
    (void)failed();
    return NULL;
}

/* Any date; NULL for a time so far away that its year cannot be represented. */
struct tm *localtime_r(const long *time, struct tm *d) { return (void)time, date_or_failure(d); }
struct tm *gmtime_r(const long *time, struct tm *d) { return (void)time, date_or_failure(d); }
/* One object for both functions, as in glibc, or two: ISO C allows either. */
static struct tm shared_date, other_date;
struct tm *localtime(const long *time) { return (void)time, date_or_failure(&shared_date); }
struct tm *gmtime(const long *time) { return (void)time, date_or_failure(otherwise() ? &other_date : &shared_date); }

/* Any time, and *d becomes any date (the same date, normalised); or -1, and *d is unchanged. */
long mktime(struct tm *d) {
    long t = (long)__kerf_approx_ulong();
    may_set_errno();
    if (t == -1 && maybe())
        return failed();
    date(d);
    return t;
}

/* Any 25 bytes, or any text that fits into glibc's buffer: years beyond 9999 have more digits. */
static char *date_text(void) {
    static char text[115];
    __kerf_approx_bytes(text, 25);
    text[25] = 0;
    if (otherwise())
        __kerf_approx_bytes(text, sizeof text - 1);
    return text;
}
/* Calls localtime, whose object changes. */
char *ctime(const long *time) { return (void)time, date_or_failure(&shared_date) == NULL ? NULL : date_text(); }
char *asctime(const struct tm *d) { return (void)d, otherwise() ? NULL : date_text(); }

/* Any text that fits; if none does, the result is 0 and the bytes are arbitrary. */
size_t strftime(char *to, size_t size, const char *format, const struct tm *d) {
    (void)format, (void)d;
    may_set_errno();
    size_t n = __kerf_approx_ulong();
    if (size == 0)
        return 0;
    __kerf_assume(n < size);
    __kerf_approx_bytes(to, size);
    if (n > 0)
        to[n] = 0;
    return n;
}

/* No effect: neither the passing of time nor signals are modelled. */
unsigned sleep(unsigned seconds) { return (void)seconds, 0; }
int usleep(unsigned microseconds) { return microseconds >= 1000000 && otherwise() ? failed() : 0; }
/* Fails if the argument is not a valid time. */
int nanosleep(const struct timespec *wanted, struct timespec *left) {
    (void)left;
    if (wanted == NULL)
        return failed();
    if (wanted->seconds >= 0 && wanted->nanoseconds >= 0 && wanted->nanoseconds < 1000000000)
        return 0;
    errno = NOT_VALID;
    return -1;
}
int sched_yield(void) { return 0; }

int __kerf_own_id;

/* Any positive number, the same in every call. */
int getpid(void) { return own_id(); }

/* Any number that is not negative, and not the own one: the parent may have ended, or may be in another namespace. */
int getppid(void) {
    int id = __kerf_nondet_int();
    __kerf_assume(id >= 0 && id != own_id());
    return id;
}

/* Any numbers, the same in every call: functions that set them have no model. */
#define FIXED(name)                         \
    unsigned name(void) {                   \
        static unsigned id, known;          \
        if (!known) {                       \
            known = 1;                      \
            id = __kerf_nondet_uint();      \
        }                                   \
        return id;                          \
    }
FIXED(getuid)
FIXED(geteuid)
FIXED(getgid)
FIXED(getegid)

int __kerf_handles_changed;

/* A file descriptor or -1: 3, 4, ... as long as no file is closed or opened otherwise; afterwards any, because which files are open is
 * not modelled. */
int open(const char *path, int flags, ...) {
    static int opened = 3;
    // O_ACCMODE and O_WRONLY.
    int is_only_written = (flags & 3) == 1;
    if (is_no_path(path))
        return -1;
    if (maybe()) {
        __kerf_delivery("not opened", 0, path, 0, 0);
        return failed();
    }
    if (!__kerf_handles_changed && !maybe() && opened < INT_MAX) {
        if (is_only_written)
            __kerf_delivery("unreadable", (size_t)opened, path, 0, 0);
        else
            __kerf_delivery("opened", (size_t)opened, path, 0, 0);
        return opened++;
    }
    __kerf_handles_changed = 1;
    return __kerf_approx_int() & INT_MAX;
}

/* Whether a number cannot be a file descriptor; sets errno. */
static int is_no_handle(int handle) {
    if (handle >= 0)
        return 0;
    errno = BAD_HANDLE;
    return 1;
}

/* -1, or up to n arbitrary bytes. */
long read(int handle, void *to, size_t n) {
    if (is_no_handle(handle))
        return -1;
    long done = __kerf_nondet_long();
    __kerf_assume(done >= -1 && (done < 0 || (size_t)done <= n));
    if (done > 0)
        __kerf_havoc(to, (size_t)done);
    if (done >= 0)
        __kerf_delivery("bytes", (size_t)handle, to, (unsigned long long)done, 0);
    return done < 0 ? failed() : done;
}

/* -1, or any number up to n; no other effect. */
long write(int handle, const void *from, size_t n) {
    (void)from;
    if (is_no_handle(handle))
        return -1;
    long done = __kerf_nondet_long();
    __kerf_assume(done >= -1 && (done < 0 || (size_t)done <= n));
    return done < 0 ? failed() : done;
}

/* 0 or -1; no other effect than that the file descriptor may be free again. */
int close(int handle) {
    if (is_no_handle(handle))
        return -1;
    __kerf_handles_changed = 1;
    return done_or_failed();
}

/* 0 or -1; no other effect. */
int unlink(const char *path) { return at_path(path); }
int access(const char *path, int mode) {
    // R_OK, W_OK and X_OK.
    if (mode & ~7) {
        errno = NOT_VALID;
        return -1;
    }
    return at_path(path);
}
int chdir(const char *path) { return at_path(path); }
int mkdir(const char *path, unsigned mode) { return (void)mode, at_path(path); }
int rmdir(const char *path) { return at_path(path); }

/* 0 or 1. */
int isatty(int handle) {
    if (is_no_handle(handle))
        return 0;
    if (maybe())
        return 1;
    (void)failed();
    return 0;
}

/* Any position, or -1. */
long lseek(int handle, long offset, int whence) {
    (void)offset, (void)whence;
    if (is_no_handle(handle))
        return -1;
    if (maybe())
        return failed();
    __kerf_delivery("moved", (size_t)handle, NULL, 0, 0);
    return (long)(__kerf_approx_ulong() & LONG_MAX);
}

/* Exact: the machine is little-endian, the network byte order is not. */
uint32_t htonl(uint32_t n) { return __builtin_bswap32(n); }
uint32_t ntohl(uint32_t n) { return __builtin_bswap32(n); }
uint16_t htons(uint16_t n) { return __builtin_bswap16(n); }
uint16_t ntohs(uint16_t n) { return __builtin_bswap16(n); }

static int is_text(const char *a, const char *b) {
    while (*a != 0 && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

/* The names of the locales of each category: an object for each, at no known distances. Whether categories share them is open. */
static char *locale_of(int category) {
    static char n0[] = "C", n1[] = "C", n2[] = "C", n3[] = "C", n4[] = "C", n5[] = "C", n6[] = "C";
    static char n7[] = "C", n8[] = "C", n9[] = "C", n10[] = "C", n11[] = "C", n12[] = "C";
    static char *const names[] = {n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, n10, n11, n12};
    return names[category];
}

/* Always the locale "C", by assumption the only one; NULL if the category is none of glibc's, or if the environment names a locale
 * that does not exist. Which names of the form CATEGORY=LOCALE;... stand for "C" is not modelled. */
char *setlocale(int category, const char *name) {
    may_set_errno();
    if (category < 0 || category > 12)
        return NULL;
    if (name == NULL)
        return maybe() ? "C" : locale_of(category);
    if (is_text(name, "C") || is_text(name, "POSIX"))
        return "C";
    /* From version 2.35 on, glibc always has it. */
    if (name[0] == 'C' && name[1] == '.')
        __kerf_unsupported("a locale like C.UTF-8");
    __kerf_assumption("no locale other than \"C\" is installed, or chosen by the environment");
    if (name[0] == 0)
        return maybe() ? "C" : NULL;
    for (const char *c = name; *c != 0; c++)
        if (*c == '=' && __kerf_approx_int() != 0) {
            static char names[512];
            __kerf_approx_bytes(names, sizeof names - 1);
            return names;
        }
    return NULL;
}

struct lconv {
    char *texts[10];
    char numbers[14];
};

/* Exact for the locale "C". */
struct lconv *localeconv(void) {
    static char none[] = "", point[] = ".";
    static struct lconv all = {{point, none, none, none, none, none, none, none, none, none},
                               {CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX,
                                CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX}};
    return &all;
}

/* The guard of a static variable of a C++ function: its first byte says whether the variable is initialised. Exact for one thread. */
int __cxa_guard_acquire(char *guard) { return *guard == 0; }
void __cxa_guard_release(char *guard) { *guard = 1; }
void __cxa_guard_abort(char *guard) { (void)guard; }
