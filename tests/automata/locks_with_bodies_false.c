// EXPECT: false locks.spc LP64
// VIOLATED: the lock is never given back
// The program ends in exit(), after what it registered with atexit().
#include <stdlib.h>
extern int input(void);
static int depth;
static void lock(void) { depth++; }
static void unlock(void) { depth--; }
static void forgive(void) {
    if (input() > 3)
        unlock();
}
int main(void) {
    atexit(forgive);
    lock();
    if (depth == 1)
        exit(0);
    unlock();
    return 0;
}
