// EXPECT: true unreach-call LP64
// What holds of any answer of the system: numbers of bytes that fit, names with the same beginning, the mask that was set, a signal that is handled.
#define _GNU_SOURCE
#include <limits.h>
#include <poll.h>
#include <search.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern void reach_error(void);

static volatile sig_atomic_t arrived;
static void note(int number) { arrived = number; }
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(void) {
    umask(022);
    if (umask(077) != 022)
        reach_error();

    char name[] = "aXXXXXX";
    int file = mkstemp(name);
    if (strlen(name) != 7 || name[0] != 'a' || (file >= 0 && name[6] == '/'))
        reach_error();

    char bytes[4] = {0};
    ssize_t n = pread(file, bytes, 3, 0);
    if (n > 3 || bytes[3] != 0)
        reach_error();
    n = getrandom(bytes, 3, 0);
    if (n < -1 || n > 3 || bytes[3] != 0)
        reach_error();

    struct pollfd all[2] = {{0, POLLIN, 0}, {-1, POLLIN, 7}};
    int ready = poll(all, 2, 0);
    if (ready > 1 || (ready >= 0 && all[1].revents != 0))
        reach_error();

    char *path = realpath("f", NULL);
    if (path != NULL && path[0] != '/')
        reach_error();
    free(path);

    if (sysconf(_SC_PAGESIZE) % 4096 != 0)
        reach_error();

    signal(SIGUSR1, note);
    if (kill(getpid(), SIGUSR1) != 0 || arrived != SIGUSR1)
        reach_error();

    int squares[4] = {1, 4, 9}, wanted = 9;
    size_t count = 3;
    if (lfind(&wanted, squares, &count, sizeof *squares, compare) != squares + 2)
        reach_error();
    wanted = 16;
    if (lsearch(&wanted, squares, &count, sizeof *squares, compare) != squares + 3 || count != 4 || squares[3] != 16)
        reach_error();
}
