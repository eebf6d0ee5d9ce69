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

/* The number that the system gives the thread. */
static int own_number(void) {
    static int number;
    if (number == 0) {
        number = __kerf_nondet_int();
        __kerf_assume(number > 0);
    }
    return number;
}
int pthread_equal(unsigned long one, unsigned long other) { return one == other; }

enum { RUNS_ONCE = 1, HAS_RUN = 2 };
int pthread_once(int *control, void (*function)(void)) {
    if (*control == HAS_RUN)
        return 0;
    if (*control == RUNS_ONCE)
        wait_for_ever();
    *control = RUNS_ONCE;
    function();
    *control = HAS_RUN;
    return 0;
}

/* These objects are as glibc has them where one thread uses them; but that is its own business, and other versions differ. */
static void are_opaque(void) {
    __kerf_assumption("only functions of the C library access the contents of mutexes, locks, conditions and semaphores");
}

/* Mutexes, as glibc has them. */
enum { NORMAL, RECURSIVE, CHECKING, ADAPTIVE };
struct mutex {
    int is_locked;
    unsigned count;
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
    are_opaque();
    *kind = wanted;
    return 0;
}
int pthread_mutexattr_gettype(const int *kind, int *to) { return *to = *kind, 0; }

int pthread_mutex_init(struct mutex *m, const int *kind) {
    IN_SLICES("pthread_mutex_init");
    are_opaque();
    m->is_locked = m->owner = 0;
    m->count = m->users = 0;
    m->kind = kind == NULL ? NORMAL : *kind;
    return 0;
}
static void look_at_kind(const struct mutex *m) {
    are_opaque();
    if (m->kind < NORMAL || m->kind > ADAPTIVE)
        __kerf_unsupported("a mutex of an unusual kind");
}
int pthread_mutex_destroy(struct mutex *m) {
    IN_SLICES("pthread_mutex_destroy");
    are_opaque();
    if (m->users != 0)
        return IS_BUSY;
    m->kind = -1;
    return 0;
}
static int take(struct mutex *m) {
    m->is_locked = 1;
    m->count = m->kind == RECURSIVE;
    m->owner = own_number();
    m->users++;
    return 0;
}
static int take_again(struct mutex *m) {
    if (m->count == (unsigned)-1)
        return TRY_AGAIN;
    m->count++;
    return 0;
}
int pthread_mutex_lock(struct mutex *m) {
    IN_SLICES("pthread_mutex_lock");
    look_at_kind(m);
    if (!m->is_locked)
        return take(m);
    if (m->kind == RECURSIVE)
        return take_again(m);
    if (m->kind != CHECKING)
        wait_for_ever();
    return WOULD_DEADLOCK;
}
int pthread_mutex_trylock(struct mutex *m) {
    IN_SLICES("pthread_mutex_trylock");
    look_at_kind(m);
    if (!m->is_locked)
        return take(m);
    return m->kind == RECURSIVE ? take_again(m) : IS_BUSY;
}
/* Whether nobody holds the mutex, which some kinds report. */
static int is_not_held(const struct mutex *m) {
    look_at_kind(m);
    if (m->is_locked)
        return 0;
    if (m->kind != RECURSIVE && m->kind != CHECKING)
        __kerf_unsupported("a mutex that is not locked is unlocked");
    return 1;
}
int pthread_mutex_unlock(struct mutex *m) {
    IN_SLICES("pthread_mutex_unlock");
    if (is_not_held(m))
        return NOT_PERMITTED;
    if (m->count > 1) {
        m->count--;
        return 0;
    }
    m->is_locked = m->owner = 0;
    m->count = 0;
    m->users--;
    return 0;
}

/* Locks for readers and writers, as glibc has them: all zeros at first. */
enum { WRITERS_TURN = 1, IS_WRITTEN = 2, ONE_READER = 8 };
struct lock {
    unsigned readers, waiting, turn, is_written, unused[2];
#if __SIZEOF_POINTER__ == 8
    int writer;
    char more[28];
#else
    char more[4];
    int writer;
#endif
};
int pthread_rwlock_init(struct lock *l, const void *attributes) {
    IN_SLICES("pthread_rwlock_init");
    are_opaque();
    if (attributes != NULL)
        __kerf_unsupported("a lock with attributes");
    l->readers = l->waiting = l->turn = l->is_written = 0;
    l->writer = 0;
    return 0;
}
int pthread_rwlock_destroy(struct lock *l) {
    IN_SLICES("pthread_rwlock_destroy");
    return (void)l, 0;
}
static int read_lock(struct lock *l) {
    are_opaque();
    if (l->readers & WRITERS_TURN) {
        l->readers &= ~WRITERS_TURN;
        l->turn = 0;
    }
    l->readers += ONE_READER;
    return 0;
}
static int write_lock(struct lock *l) {
    are_opaque();
    l->readers |= WRITERS_TURN | IS_WRITTEN;
    l->turn = l->is_written = 1;
    l->writer = own_number();
    return 0;
}
int pthread_rwlock_rdlock(struct lock *l) {
    IN_SLICES("pthread_rwlock_rdlock");
    return l->readers & IS_WRITTEN ? WOULD_DEADLOCK : read_lock(l);
}
int pthread_rwlock_tryrdlock(struct lock *l) {
    IN_SLICES("pthread_rwlock_tryrdlock");
    return l->readers & IS_WRITTEN ? IS_BUSY : read_lock(l);
}
int pthread_rwlock_wrlock(struct lock *l) {
    IN_SLICES("pthread_rwlock_wrlock");
    if (l->readers & IS_WRITTEN)
        return WOULD_DEADLOCK;
    if (l->readers >= ONE_READER)
        wait_for_ever();
    return write_lock(l);
}
int pthread_rwlock_trywrlock(struct lock *l) {
    IN_SLICES("pthread_rwlock_trywrlock");
    return l->readers & IS_WRITTEN || l->readers >= ONE_READER ? IS_BUSY : write_lock(l);
}
int pthread_rwlock_unlock(struct lock *l) {
    IN_SLICES("pthread_rwlock_unlock");
    are_opaque();
    if (l->readers & IS_WRITTEN) {
        l->readers &= ~IS_WRITTEN;
        l->is_written = 0;
        l->writer = 0;
    } else if (l->readers >= ONE_READER)
        l->readers -= ONE_READER;
    else
        __kerf_unsupported("a lock that is not locked is unlocked");
    return 0;
}

/* Locks that are waited for in a loop, as on x86. */
enum { IS_TAKEN, IS_FREE };
int pthread_spin_init(volatile int *l, int shared) {
    IN_SLICES("pthread_spin_init");
    are_opaque();
    (void)shared;
    return *l = IS_FREE, 0;
}
int pthread_spin_destroy(volatile int *l) {
    IN_SLICES("pthread_spin_destroy");
    return (void)l, 0;
}
int pthread_spin_lock(volatile int *l) {
    IN_SLICES("pthread_spin_lock");
    are_opaque();
    if (*l != IS_FREE)
        wait_for_ever();
    return *l = IS_TAKEN, 0;
}
int pthread_spin_trylock(volatile int *l) {
    IN_SLICES("pthread_spin_trylock");
    are_opaque();
    if (*l != IS_FREE)
        return IS_BUSY;
    return *l = IS_TAKEN, 0;
}
int pthread_spin_unlock(volatile int *l) {
    IN_SLICES("pthread_spin_unlock");
    return *l = IS_FREE, 0;
}

/* Conditions. Nobody signals one; waiting may end for no reason. */
struct condition {
    long long state[6];
};
int pthread_cond_init(struct condition *c, const void *attributes) {
    IN_SLICES("pthread_cond_init");
    are_opaque();
    if (attributes != NULL)
        __kerf_unsupported("a condition with attributes");
    for (int i = 0; i < 6; i++)
        c->state[i] = 0;
    return 0;
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
    if (is_not_held(m))
        return NOT_PERMITTED;
    if (!otherwise())
        wait_for_ever();
    return 0;
}
int pthread_cond_timedwait(struct condition *c, struct mutex *m, const void *until) {
    IN_SLICES("pthread_cond_timedwait");
    (void)c, (void)until;
    if (is_not_held(m))
        return otherwise() ? NOT_VALID : NOT_PERMITTED;
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
    are_opaque();
    if (value > MOST) {
        errno = NOT_VALID;
        return -1;
    }
    s->value = value;
    may_set_errno();
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
    may_set_errno();
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
    may_set_errno();
    return 0;
}
int sem_getvalue(struct semaphore *s, int *to) {
    IN_SLICES("sem_getvalue");
    *to = (int)s->value;
    return 0;
}
