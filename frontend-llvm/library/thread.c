/* <pthread.h> and <semaphore.h>, for programs with one thread.
 *
 * Slices know threads: what a thread does may happen at any time after it was made, as with handlers of signals, so that slices keep it whole,
 * with all that writes what it reads. They keep all calls that wait or let others go on, too. */
#include "kerf.h"

enum { IS_BUSY = 16, WOULD_DEADLOCK = 35, TIMED_OUT = 110, NOT_PERMITTED = 1, TRY_AGAIN = 11 };

/* In a slice, the call matters whatever it does. */
#define IN_SLICES(name)                                                     \
    do {                                                                    \
        if (__kerf_signals_arrive())                                        \
            __kerf_unsupported("library function " name " has no model");   \
    } while (0)

/* No other thread will ever let this one go on. */
static void wait_for_ever(void) {
    for (;;) {
    }
}

/* Threads. What one of them returned is the result of each. */
static void *result;

/* What this calls may run at any time, as slices know by its section. */
__attribute__((section("kerf.handlers"))) static void run(void *(*function)(void *), void *argument) {
    result = function(argument);
}

/* Slices keep all calls of functions of this section, as they do what runs threads. Others do not know these functions. */
#define ONLY_IN_SLICES __attribute__((section("kerf.threads")))

ONLY_IN_SLICES int pthread_create(unsigned long *thread, const void *attributes, void *(*function)(void *), void *argument) {
    (void)attributes;
    __kerf_approx_bytes(thread, sizeof *thread);
    if (maybe())
        run(function, argument);
    return __kerf_approx_int();
}

ONLY_IN_SLICES int pthread_join(unsigned long thread, void **to) {
    (void)thread;
    if (to != NULL)
        *to = result;
    return __kerf_approx_int();
}

void exit(int status) __attribute__((noreturn));
__attribute__((section("kerf.handlers"), noreturn)) void pthread_exit(void *with) {
    result = with;
    exit(0);
}

static unsigned long self;
unsigned long pthread_self(void) {
    if (self == 0) {
        self = __kerf_nondet_ulong();
        __kerf_assume(self != 0);
    }
    return __kerf_signals_arrive() ? __kerf_approx_ulong() : self;
}
int pthread_equal(unsigned long one, unsigned long other) { return one == other; }

/* Also C11's call_once. */
int pthread_once(int *control, void (*function)(void)) {
    if (*control != 2) {
        *control = 2;
        function();
    }
    return 0;
}

/* Mutexes. The kind lies where glibc has it, since initializers set it. */
enum { NORMAL, RECURSIVE, CHECKING, ADAPTIVE };
struct mutex {
    int is_locked;
    unsigned more;
    int owner;
#if __SIZEOF_POINTER__ == 8
    unsigned users;
    int kind;
    char unused[20];
#else
    int kind;
    unsigned users;
    char unused[4];
#endif
};

int pthread_mutexattr_init(int *kind) { return *kind = NORMAL, 0; }
int pthread_mutexattr_destroy(int *kind) { return (void)kind, 0; }
int pthread_mutexattr_settype(int *kind, int wanted) {
    if (wanted < NORMAL || wanted > ADAPTIVE)
        return NOT_VALID;
    *kind = wanted;
    return 0;
}
int pthread_mutexattr_gettype(const int *kind, int *to) { return *to = *kind, 0; }

int pthread_mutex_init(struct mutex *m, const int *kind) {
    IN_SLICES("pthread_mutex_init");
    m->is_locked = 0;
    m->more = m->users = 0;
    m->owner = 0;
    m->kind = kind == NULL ? NORMAL : *kind;
    return 0;
}
static void look_at_kind(const struct mutex *m) {
    if (m->kind < NORMAL || m->kind > ADAPTIVE)
        __kerf_unsupported("a mutex of an unusual kind");
}
int pthread_mutex_destroy(struct mutex *m) {
    IN_SLICES("pthread_mutex_destroy");
    if (m->users != 0)
        return IS_BUSY;
    m->kind = -1;
    return 0;
}
int pthread_mutex_lock(struct mutex *m) {
    IN_SLICES("pthread_mutex_lock");
    look_at_kind(m);
    if (m->is_locked) {
        if (m->kind == CHECKING)
            return WOULD_DEADLOCK;
        if (m->kind != RECURSIVE)
            wait_for_ever();
        if (m->more == (unsigned)-2)
            return TRY_AGAIN;
        m->more++;
        return 0;
    }
    m->is_locked = 1;
    m->users++;
    return 0;
}
int pthread_mutex_trylock(struct mutex *m) {
    IN_SLICES("pthread_mutex_trylock");
    look_at_kind(m);
    if (!m->is_locked) {
        m->is_locked = 1;
        m->users++;
        return 0;
    }
    if (m->kind != RECURSIVE)
        return IS_BUSY;
    if (m->more == (unsigned)-2)
        return TRY_AGAIN;
    m->more++;
    return 0;
}
int pthread_mutex_unlock(struct mutex *m) {
    IN_SLICES("pthread_mutex_unlock");
    look_at_kind(m);
    if (!m->is_locked) {
        if (m->kind == RECURSIVE || m->kind == CHECKING)
            return NOT_PERMITTED;
        __kerf_unsupported("a mutex is unlocked that is not locked");
    }
    if (m->more != 0)
        m->more--;
    else {
        m->is_locked = 0;
        m->users--;
    }
    return 0;
}

/* Locks for readers and writers: all zeros at first. */
struct lock {
    unsigned readers, is_written;
    char unused[__SIZEOF_POINTER__ == 8 ? 48 : 24];
};
int pthread_rwlock_init(struct lock *l, const void *attributes) {
    IN_SLICES("pthread_rwlock_init");
    if (attributes != NULL)
        __kerf_unsupported("a lock with attributes");
    l->readers = l->is_written = 0;
    return 0;
}
int pthread_rwlock_destroy(struct lock *l) {
    IN_SLICES("pthread_rwlock_destroy");
    return (void)l, 0;
}
int pthread_rwlock_rdlock(struct lock *l) {
    IN_SLICES("pthread_rwlock_rdlock");
    if (l->is_written)
        return WOULD_DEADLOCK;
    l->readers++;
    return 0;
}
int pthread_rwlock_tryrdlock(struct lock *l) {
    IN_SLICES("pthread_rwlock_tryrdlock");
    if (l->is_written)
        return IS_BUSY;
    l->readers++;
    return 0;
}
int pthread_rwlock_wrlock(struct lock *l) {
    IN_SLICES("pthread_rwlock_wrlock");
    if (l->is_written)
        return WOULD_DEADLOCK;
    if (l->readers != 0)
        wait_for_ever();
    l->is_written = 1;
    return 0;
}
int pthread_rwlock_trywrlock(struct lock *l) {
    IN_SLICES("pthread_rwlock_trywrlock");
    if (l->is_written || l->readers != 0)
        return IS_BUSY;
    l->is_written = 1;
    return 0;
}
int pthread_rwlock_unlock(struct lock *l) {
    IN_SLICES("pthread_rwlock_unlock");
    if (l->is_written)
        l->is_written = 0;
    else if (l->readers != 0)
        l->readers--;
    else
        __kerf_unsupported("a lock is unlocked that is not locked");
    return 0;
}

/* Locks that are waited for in a loop. */
int pthread_spin_init(volatile int *l, int shared) {
    IN_SLICES("pthread_spin_init");
    (void)shared;
    return *l = 0, 0;
}
int pthread_spin_destroy(volatile int *l) {
    IN_SLICES("pthread_spin_destroy");
    return (void)l, 0;
}
int pthread_spin_lock(volatile int *l) {
    IN_SLICES("pthread_spin_lock");
    if (*l)
        wait_for_ever();
    return *l = 1, 0;
}
int pthread_spin_trylock(volatile int *l) {
    IN_SLICES("pthread_spin_trylock");
    if (*l)
        return IS_BUSY;
    return *l = 1, 0;
}
int pthread_spin_unlock(volatile int *l) {
    IN_SLICES("pthread_spin_unlock");
    return *l = 0, 0;
}

/* Conditions. Nobody signals one; waiting may end for no reason. */
struct condition {
    char unused[48];
};
int pthread_cond_init(struct condition *c, const void *attributes) {
    IN_SLICES("pthread_cond_init");
    return (void)c, (void)attributes, 0;
}
int pthread_cond_destroy(struct condition *c) {
    IN_SLICES("pthread_cond_destroy");
    return (void)c, 0;
}
int pthread_cond_signal(struct condition *c) {
    IN_SLICES("pthread_cond_signal");
    return (void)c, 0;
}
int pthread_cond_broadcast(struct condition *c) {
    IN_SLICES("pthread_cond_broadcast");
    return (void)c, 0;
}
int pthread_cond_wait(struct condition *c, struct mutex *m) {
    IN_SLICES("pthread_cond_wait");
    (void)c;
    look_at_kind(m);
    if (!otherwise())
        wait_for_ever();
    return 0;
}
int pthread_cond_timedwait(struct condition *c, struct mutex *m, const void *until) {
    IN_SLICES("pthread_cond_timedwait");
    (void)c, (void)until;
    look_at_kind(m);
    if (!otherwise())
        return TIMED_OUT;
    return maybe() ? NOT_VALID : 0;
}

/* Semaphores. */
struct semaphore {
    unsigned value;
    char unused[__SIZEOF_POINTER__ == 8 ? 28 : 12];
};
enum { MOST = 0x7fffffff };
int sem_init(struct semaphore *s, int shared, unsigned value) {
    IN_SLICES("sem_init");
    (void)shared;
    if (value > MOST) {
        errno = NOT_VALID;
        return -1;
    }
    s->value = value;
    return 0;
}
int sem_destroy(struct semaphore *s) {
    IN_SLICES("sem_destroy");
    return (void)s, 0;
}
int sem_post(struct semaphore *s) {
    IN_SLICES("sem_post");
    if (s->value == MOST) {
        errno = TOO_LARGE;
        return -1;
    }
    s->value++;
    return 0;
}
int sem_wait(struct semaphore *s) {
    IN_SLICES("sem_wait");
    if (s->value == 0)
        wait_for_ever();
    s->value--;
    return 0;
}
int sem_trywait(struct semaphore *s) {
    IN_SLICES("sem_trywait");
    if (s->value == 0) {
        errno = TRY_AGAIN;
        return -1;
    }
    s->value--;
    return 0;
}
int sem_getvalue(struct semaphore *s, int *to) {
    IN_SLICES("sem_getvalue");
    *to = (int)s->value;
    return 0;
}
