// EXPECT: true locks.spc LP64
#include <stdlib.h>
extern int input(void);
static int depth;
static void lock(void) { depth++; }
static void unlock(void) { depth--; }
static void forgive(void) {
    if (depth > 0)
        unlock();
}
int main(void) {
    atexit(forgive);
    lock();
    if (input() == 1)
        exit(0);
    return 0;
}
