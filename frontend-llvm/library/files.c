/* <fcntl.h>, <sys/stat.h> and other calls about files and folders: the system gives arbitrary answers. */
#include "kerf.h"

/* Commands of fcntl. */
enum { DUPLICATE, GET_FLAGS, SET_FLAGS, GET_STATUS, SET_STATUS, SET_LOCK = 6, WAIT_FOR_LOCK, DUPLICATE_AND_CLOSE = 1030 };

/* Any file descriptor. */
static int any_handle(void) {
    __kerf_handles_changed = 1;
    return __kerf_approx_int() & INT_MAX;
}

/* Any number that is not negative, or -1; commands with other results are unsupported. */
static int file_command(int handle, int command) {
    int is_known = (command >= DUPLICATE && command <= SET_STATUS) || command == SET_LOCK || command == WAIT_FOR_LOCK;
    if (!is_known && command != DUPLICATE_AND_CLOSE)
        __kerf_unsupported("a command of fcntl");
    if (handle < 0) {
        errno = BAD_HANDLE;
        return -1;
    }
    if (maybe())
        return failed();
    if (command == DUPLICATE || command == DUPLICATE_AND_CLOSE)
        return any_handle();
    return command == GET_FLAGS || command == GET_STATUS ? __kerf_approx_int() & INT_MAX : 0;
}
int fcntl(int handle, int command, ...) { return file_command(handle, command); }
int fcntl64(int handle, int command, ...) { return file_command(handle, command); }

/* A file descriptor, or -1. */
int dup(int handle) {
    if (handle >= 0 && maybe())
        return any_handle();
    return failed();
}
int dup2(int from, int to) {
    if (from >= 0 && to >= 0 && maybe()) {
        __kerf_handles_changed = 1;
        return to;
    }
    return failed();
}
int pipe(int *ends) {
    if (maybe())
        return failed();
    ends[0] = any_handle();
    ends[1] = any_handle();
    __kerf_assume(ends[0] != ends[1]);
    return 0;
}

/* -1 and nothing else, or any status of a file; how its parts belong together is not modelled. */
static int status(void *to, size_t size) {
    if (maybe())
        return failed();
    __kerf_approx_bytes(to, size);
    return 0;
}
#define STATUS_SIZE (sizeof(long) == 8 ? 144 : 88)
#define STATUS64_SIZE (sizeof(long) == 8 ? 144 : 96)
int stat(const char *path, void *to) { return is_no_path(path) ? -1 : status(to, STATUS_SIZE); }
int lstat(const char *path, void *to) { return is_no_path(path) ? -1 : status(to, STATUS_SIZE); }
int fstat(int handle, void *to) { return handle < 0 ? failed() : status(to, STATUS_SIZE); }
int stat64(const char *path, void *to) { return is_no_path(path) ? -1 : status(to, STATUS64_SIZE); }
int lstat64(const char *path, void *to) { return is_no_path(path) ? -1 : status(to, STATUS64_SIZE); }
int fstat64(int handle, void *to) { return handle < 0 ? failed() : status(to, STATUS64_SIZE); }

/* 0 or -1; contents of files are not modelled. */
static int at_handle(int handle) { return handle < 0 ? failed() : done_or_failed(); }
int fsync(int handle) { return at_handle(handle); }
int fdatasync(int handle) { return at_handle(handle); }
int fchmod(int handle, unsigned mode) { return (void)mode, at_handle(handle); }
int fchown(int handle, unsigned user, unsigned group) { return (void)user, (void)group, at_handle(handle); }
int flock(int handle, int how) { return (void)how, at_handle(handle); }
int ftruncate(int handle, long length) { return length < 0 ? failed() : at_handle(handle); }
int ftruncate64(int handle, long long length) { return length < 0 ? failed() : at_handle(handle); }
int truncate(const char *path, long length) { return length < 0 ? failed() : at_path(path); }
int truncate64(const char *path, long long length) { return length < 0 ? failed() : at_path(path); }
int chmod(const char *path, unsigned mode) { return (void)mode, at_path(path); }
int chown(const char *path, unsigned user, unsigned group) { return (void)user, (void)group, at_path(path); }
int lchown(const char *path, unsigned user, unsigned group) { return (void)user, (void)group, at_path(path); }
int mkfifo(const char *path, unsigned mode) { return (void)mode, at_path(path); }
int link(const char *from, const char *to) { return is_no_path(from) ? -1 : at_path(to); }
int symlink(const char *from, const char *to) { return is_no_path(from) ? -1 : at_path(to); }
static int set_times(const char *path, const void *times) {
    if (times != NULL)
        look_into(times);
    return at_path(path);
}
int utime(const char *path, const void *times) { return set_times(path, times); }
int utimes(const char *path, const void *times) { return set_times(path, times); }

/* -1, or any number of bytes up to n, which may be anything; the position in the file stays. */
static long part(void *to, size_t n, int fails) {
    long done = __kerf_nondet_long();
    __kerf_assume(done >= 0 && (size_t)done <= n);
    if (fails || maybe())
        return failed();
    if (to != NULL && done > 0)
        __kerf_approx_bytes(to, (size_t)done);
    return done;
}
long pread(int handle, void *to, size_t n, long at) { return part(to, n, handle < 0 || at < 0); }
long pread64(int handle, void *to, size_t n, long long at) { return part(to, n, handle < 0 || at < 0); }
long pwrite(int handle, const void *from, size_t n, long at) { return (void)from, part(NULL, n, handle < 0 || at < 0); }
long pwrite64(int handle, const void *from, size_t n, long long at) { return (void)from, part(NULL, n, handle < 0 || at < 0); }
long readlink(const char *path, char *to, size_t n) { return is_no_path(path) ? -1 : part(to, n, n == 0); }

/* NULL, or any absolute path, in a new block if the program has none. If it fails, it may have written a part of one. */
char *realpath(const char *path, char *to) {
    enum { LONGEST = 4095 };
    if (path == NULL) {
        errno = NOT_VALID;
        return NULL;
    }
    if (is_no_path(path))
        return NULL;
    size_t n = __kerf_approx_ulong();
    __kerf_assume(n > 0 && n <= LONGEST);
    if (maybe()) {
        if (to != NULL)
            __kerf_approx_bytes(to, n - 1);
        return failed(), NULL;
    }
    if (to == NULL)
        to = malloc(n + 1);
    if (to == NULL)
        return NULL;
    __kerf_approx_bytes(to, n);
    to[0] = '/';
    to[n] = 0;
    return to;
}

/* Replaces the six letters X at the end of a name by any letters and digits. */
static int make_unique(char *name) {
    size_t n = 0;
    while (name[n] != 0)
        n++;
    for (size_t i = 1; i <= 6; i++)
        if (n < 6 || name[n - i] != 'X') {
            errno = NOT_VALID;
            return 0;
        }
    for (size_t i = 1; i <= 6; i++) {
        char c = (char)__kerf_approx_int();
        __kerf_assume((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'));
        name[n - i] = c;
    }
    return 1;
}

/* A new file or folder of that name, or a failure. */
static int unique_file(char *name) {
    if (!make_unique(name))
        return -1;
    return maybe() ? any_handle() : failed();
}
int mkstemp(char *name) { return unique_file(name); }
int mkostemp(char *name, int flags) { return (void)flags, unique_file(name); }
char *mkdtemp(char *name) { return make_unique(name) && done_or_failed() == 0 ? name : NULL; }

/* NULL, or any path that fits; in a new block if the program has none. */
char *getcwd(char *to, size_t size) {
    if (to != NULL && size == 0) {
        errno = NOT_VALID;
        return NULL;
    }
    size_t n = __kerf_approx_ulong();
    if (maybe() || size == 1)
        return failed(), NULL;
    __kerf_assume(n > 0 && n < 1 << 16 && (size == 0 || n < size));
    if (to == NULL)
        to = malloc(size > 0 ? size : n + 1);
    if (to == NULL)
        return NULL;
    __kerf_approx_bytes(to, n);
    to[n] = 0;
    return to;
}

/* A folder that is read: a block, so that a missing closedir is a leak. The names of entries are any texts but the empty one; that they have
 * no slash and differ is known for alarms, not for proofs. */
struct entry {
    long number, next;
    unsigned short size;
    unsigned char type;
    char name[256];
};
struct entry64 {
    long long number, next;
    unsigned short size;
    unsigned char type;
    char name[256];
};
struct folder {
    int handle;
    struct entry *last;
    struct entry64 *last64;
};

struct folder *opendir(const char *path) {
    struct folder *found = is_no_path(path) || (maybe() && failed()) ? NULL : __kerf_block(sizeof(struct folder));
    if (found == NULL) {
        __kerf_delivery("not opened", 0, path, 0, 0);
        return NULL;
    }
    __kerf_handles_changed = 1;
    found->handle = NOT_DRAWN;
    found->last = NULL;
    found->last64 = NULL;
    __kerf_delivery("folder", (size_t)found, path, 0, 0);
    return found;
}

/* Null at the end, and if reading fails. */
static int is_read(struct folder *folder) {
    look_into((const char *)folder);
    if (!maybe())
        return 1;
    if (maybe())
        (void)failed();
    return 0;
}

/* DT_UNKNOWN, DT_FIFO, DT_CHR, DT_DIR, DT_BLK, DT_REG, DT_LNK, DT_SOCK and DT_WHT, as bits. */
enum { TYPES = 0x5557, LAST_TYPE = 14 };

/* Any entry. That its size is that of its name is known for alarms, as Linux has it on 64-bit platforms. */
static void any_entry(void *entry, size_t bytes, unsigned char *type, unsigned short *size) {
    if (sizeof(long) == 4) {
        __kerf_approx_bytes(entry, bytes);
        return;
    }
    __kerf_havoc(entry, bytes);
    __kerf_assume(*type <= LAST_TYPE && (TYPES >> *type & 1));
    unsigned n = __kerf_nondet_uint();
    __kerf_assume(n <= sizeof(struct entry64));
    *size = (unsigned short)n;
}

/* An entry lies where the last one lay, or elsewhere; then the last one may be overwritten, too. */
#define READ(last, kind)                                        \
    do {                                                        \
        if (!is_read(folder))                                   \
            return NULL;                                        \
        if (folder->last == NULL || maybe()) {                  \
            if (folder->last != NULL && otherwise())            \
                __kerf_approx_bytes(folder->last, sizeof(kind)); \
            folder->last = __kerf_block(sizeof(kind));          \
        }                                                       \
        kind *e = folder->last;                                 \
        any_entry(e, sizeof(kind), &e->type, &e->size);         \
        e->name[sizeof e->name - 1] = 0;                        \
        __kerf_assume(e->name[0] != 0);                         \
        __kerf_delivery("name", (size_t)folder, e->name, e->size, offsetof(kind, name)); \
        return e;                                               \
    } while (0)

struct entry *readdir(struct folder *folder) { READ(last, struct entry); }
struct entry64 *readdir64(struct folder *folder) { READ(last64, struct entry64); }

int closedir(struct folder *folder) {
    look_into((const char *)folder);
    __kerf_handles_changed = 1;
    free(folder);
    return done_or_failed();
}

int dirfd(struct folder *folder) {
    if (folder->handle == NOT_DRAWN)
        folder->handle = any_handle();
    return folder->handle;
}
void rewinddir(struct folder *folder) { look_into((const char *)folder); }
void seekdir(struct folder *folder, long place) {
    (void)place;
    look_into((const char *)folder);
}
long telldir(struct folder *folder) {
    look_into((const char *)folder);
    return maybe() ? __kerf_approx_ulong() & LONG_MAX : failed();
}
