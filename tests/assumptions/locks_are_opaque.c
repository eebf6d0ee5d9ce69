// EXPECT: true unreach-call LP64
// ASSUMES: only functions of the C library access the contents of mutexes, locks, conditions and semaphores
// ASSUMES: each memory access is valid: within the bounds of a live object from whose address its pointer was computed
#include <pthread.h>
extern void reach_error(void);
int main(void) {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&mutex);
    // Other versions of the C library may count otherwise.
    if (mutex.__data.__nusers != 1)
        reach_error();
    return 0;
}
