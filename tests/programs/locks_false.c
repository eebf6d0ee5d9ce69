// EXPECT: false unreach-call LP64
// A way out of a function forgets to unlock.
#include <pthread.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int table[4];
static int set(int at, int to) {
    pthread_mutex_lock(&guard);
    if (at < 0 || at >= 4)
        return -1;
    table[at] = to;
    pthread_mutex_unlock(&guard);
    return 0;
}
int main(void) {
    set(__VERIFIER_nondet_int(), 1);
    if (pthread_mutex_trylock(&guard) != 0)
        reach_error();
    return 0;
}
