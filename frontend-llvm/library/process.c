/* What programs ask the system about processes, limits and random bytes: it gives arbitrary answers. */
#include "kerf.h"

/* The former mask; the one that was inherited is any. */
unsigned umask(unsigned mask) {
    static int is_known;
    static unsigned present;
    unsigned former = is_known ? present : __kerf_nondet_uint() & 0777;
    is_known = 1;
    present = mask & 0777;
    return former;
}

/* Any number, or -1 where there is no limit, and where the name is not known. The size of a page is a power of two. */
enum { PAGE_SIZE = 30 };
static long page_size(void) {
    long n = __kerf_approx_int();
    __kerf_assume(n >= 4096 && (n & (n - 1)) == 0);
    return n;
}
long sysconf(int name) {
    if (name == PAGE_SIZE)
        return page_size();
    long n = (long)__kerf_approx_ulong();
    __kerf_assume(n >= -1);
    return n < 0 && maybe() ? failed() : n;
}
int getpagesize(void) { return (int)page_size(); }

/* The number of a child with any status, or -1; 0 if the program does not want to wait. */
static int child(int *status, int may_go_on) {
    if (maybe())
        return failed();
    int id = __kerf_approx_int();
    __kerf_assume(id > 0 || (id == 0 && may_go_on));
    if (status != NULL && id > 0)
        *status = __kerf_approx_int();
    return id;
}
int wait(int *status) { return child(status, 0); }
int waitpid(int id, int *status, int options) { return (void)id, child(status, options & 1); }

/* Any number of a group or session of processes; -1 if there is no such process. */
static int any_group(void) {
    int id = __kerf_approx_int();
    __kerf_assume(id >= 0);
    return id;
}
int getpgrp(void) { return any_group(); }
int getpgid(int id) { return (void)id, maybe() ? any_group() : failed(); }
int getsid(int id) { return (void)id, maybe() ? any_group() : failed(); }
int setsid(void) { return maybe() ? any_group() : failed(); }
int setpgid(int id, int group) { return (void)id, (void)group, done_or_failed(); }

/* The number of those among `count` files at which something has happened, which may be anything; or -1. */
struct polled {
    int handle;
    short wanted, found;
};
int poll(struct polled *all, unsigned long count, int wait) {
    (void)wait;
    int fails = maybe(), n = 0;
    for (unsigned long i = 0; i < count; i++) {
        if (fails && maybe())
            continue;
        all[i].found = all[i].handle < 0 || maybe() ? 0 : (short)__kerf_approx_int();
        n += all[i].found != 0;
    }
    return fails ? failed() : n;
}

/* Any answer of this size, or -1. */
static int answer(void *to, size_t size) {
    if (maybe())
        return failed();
    __kerf_approx_bytes(to, size);
    return 0;
}
int getrlimit(int which, void *to) { return (void)which, answer(to, 2 * sizeof(long)); }
int getrusage(int whose, void *to) { return (void)whose, answer(to, 18 * sizeof(long)); }
int setrlimit(int which, const void *limits) {
    (void)which;
    look_into(limits);
    return done_or_failed();
}
long times(void *to) {
    if (to != NULL)
        __kerf_approx_bytes(to, 4 * sizeof(long));
    return (long)__kerf_approx_ulong();
}

/* A name that fits, which is not ended if it fills all bytes, or -1. */
int gethostname(char *to, size_t size) {
    size_t n = __kerf_approx_ulong();
    __kerf_assume(n <= size);
    __kerf_approx_bytes(to, n);
    if (maybe())
        return failed();
    if (n < size)
        to[n] = 0;
    return 0;
}

/* Any bytes, or -1; getrandom may give fewer than are wanted, and getentropy may fail after some. */
long getrandom(void *to, size_t n, unsigned flags) {
    (void)flags;
    size_t done = __kerf_nondet_ulong();
    __kerf_assume(done <= n && done <= LONG_MAX);
    if (maybe())
        return failed();
    __kerf_havoc(to, done);
    return (long)done;
}
int getentropy(void *to, size_t n) {
    if (n > 256)
        return failed();
    if (maybe()) {
        __kerf_havoc(to, n);
        return 0;
    }
    size_t done = __kerf_approx_ulong();
    __kerf_assume(done <= n);
    __kerf_approx_bytes(to, done);
    return failed();
}
