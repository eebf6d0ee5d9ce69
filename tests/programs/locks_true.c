// EXPECT: true unreach-call LP64
// A program that could have threads, but makes none.
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int initialised, count;
static void initialise(void) { initialised++; }
static void add(int n) {
    pthread_once(&once, initialise);
    pthread_mutex_lock(&guard);
    count += n;
    pthread_mutex_unlock(&guard);
}
int main(void) {
    pthread_mutexattr_t kind;
    pthread_mutex_t again;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&again, &kind);
    for (int i = 0; i < 3; i++)
        add(i);
    if (count != 3 || initialised != 1)
        reach_error();
    if (pthread_mutex_lock(&again) || pthread_mutex_trylock(&again) || pthread_mutex_unlock(&again))
        reach_error();
    if (pthread_mutex_unlock(&again) || pthread_mutex_unlock(&again) != EPERM)
        reach_error();
    pthread_mutex_lock(&guard);
    if (pthread_mutex_trylock(&guard) != EBUSY)
        reach_error();
    sem_t left;
    sem_init(&left, 0, 1);
    sem_wait(&left);
    if (sem_trywait(&left) != -1)
        reach_error();
    if (__VERIFIER_nondet_int()) {
        // Nobody will unlock it.
        pthread_mutex_lock(&guard);
        reach_error();
    }
    return 0;
}
