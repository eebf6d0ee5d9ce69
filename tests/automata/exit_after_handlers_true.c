// EXPECT: true locks.spc LP64
// The event exit comes after what runs at exit.
#include <stdlib.h>

extern void lock(void), unlock(void);

static void give_back(void) { unlock(); }

int main(void) {
    atexit(give_back);
    lock();
    return 0;
}
