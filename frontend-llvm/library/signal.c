/* <signal.h>: what signals do, and sets of them. */
#include "kerf.h"

enum { LAST = 64, ABORTED = 6, KILLED = 9, CHILD = 17, CONTINUED = 18, STOPPED = 19, STOPPED_LAST = 22, URGENT = 23, WINDOW = 28 };
enum { WITH_DETAILS = 4, ONCE = (int)0x80000000, WHILE_IT_RUNS = 0x40000000, RESTART = 0x10000000, RESTORER = 0x04000000 };
enum { KNOWN_FLAGS = (int)0xd8000007 };

typedef void (*handler)(int);
typedef void (*detailed)(int, void *, void *);
#define DEFAULT ((handler)0)
#define IGNORED ((handler)1)
#define FAILED ((handler)-1)

typedef unsigned long long mask;
struct set {
    unsigned long words[1024 / 8 / sizeof(long)];
};
struct sigaction {
    union {
        handler plain;
        detailed detailed;
    } function;
    struct set blocked;
    int flags;
    void (*restorer)(void);
};

/* What each signal does: first what the program inherited, which only ignoring survives. */
enum { BY_DEFAULT, IGNORE, CALL, CALL_WITH_DETAILS };
static char is_known[LAST + 1];
static char action[LAST + 1];
static handler plain[LAST + 1];
static detailed with_details[LAST + 1];
static int flags_of[LAST + 1];
static mask blocked_by[LAST + 1];

/* The signals that wait until they are no longer blocked, and whether a jump may put back another mask than this one. */
static int mask_is_known, mask_has_changed;
static mask blocked;

/* The rounding mode (fenv.c). */
extern int __kerf_rounding_mode;

/* glibc uses two signals itself. */
static int is_signal(int number) { return number > 0 && number <= LAST && number != 32 && number != 33; }

static mask bit(int number) { return (mask)1 << (number - 1); }

static mask first_of(const struct set *set) {
    return sizeof(long) == 8 ? set->words[0] : set->words[0] | (mask)set->words[1] << 32;
}

static void look_up(int number) {
    if (!is_known[number]) {
        is_known[number] = 1;
        action[number] = number != KILLED && number != STOPPED && otherwise() ? IGNORE : BY_DEFAULT;
    }
}

static void look_at_mask(void) {
    if (!mask_is_known) {
        mask_is_known = 1;
        __kerf_assumption("no signal is blocked when the program begins");
    }
    if (mask_has_changed && __kerf_masks_are_saved())
        __kerf_unsupported("the mask of signals, which siglongjmp may have put back");
}

/* Runs the handler, as Linux does on x86: with the usual rounding mode, whatever the handler makes of it. What this calls may run at
 * any time, as slices know by its section. */
__attribute__((section("kerf.handlers"))) static void run(int number) {
    int flags = flags_of[number], has_details = action[number] == CALL_WITH_DETAILS;
    mask before = blocked;
    int had_changed = mask_has_changed, mode = __kerf_rounding_mode;
    mask_has_changed = 1;
    __kerf_rounding_mode = 0;
    blocked |= blocked_by[number] | ((flags & WHILE_IT_RUNS) ? 0 : bit(number));
    if (flags & ONCE)
        action[number] = BY_DEFAULT;
    if (has_details) {
        static union {
            int number;
            long long words[16];
        } info;
        static long long context[128];
        __kerf_approx_bytes(&info, sizeof info);
        __kerf_approx_bytes(context, sizeof context);
        info.number = number;
        with_details[number](number, &info, context);
    } else
        plain[number](number);
    blocked = before;
    mask_has_changed = had_changed;
    __kerf_rounding_mode = mode;
}

/* Sets what a signal does. A proof assumes that only the program itself sends signals that it handles; in a slice, they may arrive. */
static void set(int number, handler function, detailed function_with_details, int flags, mask blocks) {
    flags_of[number] = flags;
    blocked_by[number] = blocks & ~(bit(KILLED) | bit(STOPPED));
    if (function == DEFAULT || function == IGNORED) {
        action[number] = function == DEFAULT ? BY_DEFAULT : IGNORE;
        return;
    }
    if (flags & WITH_DETAILS) {
        action[number] = CALL_WITH_DETAILS;
        with_details[number] = function_with_details;
    } else {
        action[number] = CALL;
        plain[number] = function;
    }
    if (__kerf_signals_arrive()) {
        if (maybe())
            run(number);
        return;
    }
    if (number == ABORTED)
        __kerf_unsupported("a handler for SIGABRT");
    __kerf_assumption_throughout("no signal that has a handler in the program arrives, except by raise and kill: none from outside, and none by a "
                                 "division or an access to memory");
}

static handler plain_function(int number) {
    return action[number] == BY_DEFAULT ? DEFAULT : action[number] == IGNORE ? IGNORED : plain[number];
}

static handler replaced(int number, handler function, int flags) {
    if (!is_signal(number) || number == KILLED || number == STOPPED || function == FAILED) {
        errno = NOT_VALID;
        return FAILED;
    }
    look_up(number);
    if (action[number] == CALL_WITH_DETAILS)
        __kerf_unsupported("the former handler of a signal, which asks for details");
    handler before = plain_function(number);
    set(number, function, NULL, flags, (flags & WHILE_IT_RUNS) ? 0 : bit(number));
    return before;
}

/* Exact for a program that inherits its signals' actions from a shell: others, it may ignore. */
handler signal(int number, handler function) { return replaced(number, function, RESTART); }
handler __sysv_signal(int number, handler function) { return replaced(number, function, ONCE | WHILE_IT_RUNS); }

/* The former mask is any; otherwise as signal. */
int sigaction(int number, const struct sigaction *new, struct sigaction *old) {
    if (!is_signal(number) || (new != NULL && (number == KILLED || number == STOPPED))) {
        errno = NOT_VALID;
        return -1;
    }
    look_up(number);
    struct sigaction before;
    if (action[number] == CALL_WITH_DETAILS)
        before.function.detailed = with_details[number];
    else
        before.function.plain = plain_function(number);
    /* Whether the kernel tells of its flag for the C library, and of flags that it does not know, depends on its version. */
    before.flags = (flags_of[number] & KNOWN_FLAGS) | (__kerf_approx_int() & (RESTORER | (flags_of[number] & ~KNOWN_FLAGS)));
    __kerf_approx_bytes(&before.blocked, sizeof before.blocked);
    __kerf_approx_bytes(&before.restorer, sizeof before.restorer);
    if (new != NULL)
        set(number, new->function.plain, new->function.detailed, new->flags, first_of(&new->blocked));
    if (old != NULL) {
        old->function = before.function;
        old->flags = before.flags;
        old->blocked = before.blocked;
        old->restorer = before.restorer;
    }
    return 0;
}

/* Exact, apart from signals that wait. */
static int send_to_itself(int number) {
    if (number == 0)
        return 0;
    if (number < 0 || number > LAST) {
        errno = NOT_VALID;
        return -1;
    }
    if (!is_signal(number))
        __kerf_unsupported("a signal of the C library");
    look_up(number);
    look_at_mask();
    if (number != KILLED && number != STOPPED) {
        /* It waits even if it is ignored: it may be handled once it is no longer blocked. */
        if (blocked & bit(number)) {
            __kerf_unsupported("a signal that is raised while it is blocked");
            return 0;
        }
        if (action[number] == IGNORE)
            return 0;
        if (action[number] != BY_DEFAULT) {
            run(number);
            return 0;
        }
    }
    int goes_on = number == CHILD || number == URGENT || number == WINDOW || (number >= CONTINUED && number <= STOPPED_LAST);
    __kerf_assume(goes_on);
    return 0;
}
int raise(int number) { return send_to_itself(number); }

/* Other processes may do anything with a signal that they get, or end before. */
int kill(int id, int number) {
    if (number < 0 || number > LAST) {
        errno = NOT_VALID;
        return -1;
    }
    if (id == own_id())
        return send_to_itself(number);
    if (id <= 0 && number != 0)
        __kerf_unsupported("a signal to several processes");
    return done_or_failed();
}

/* Exact, but for a signal that waits. */
static int change_mask(int how, const struct set *new, struct set *old) {
    mask change = new != NULL ? first_of(new) & ~(bit(KILLED) | bit(STOPPED) | bit(32) | bit(33)) : 0;
    if (new != NULL && (how < 0 || how > 2))
        return NOT_VALID;
    look_at_mask();
    mask before = blocked;
    if (new != NULL)
        mask_has_changed = 1;
    if (new != NULL)
        blocked = how == 0 ? blocked | change : how == 1 ? blocked & ~change : change;
    if (old != NULL) {
        old->words[0] = (unsigned long)before;
        if (sizeof(long) == 4)
            old->words[1] = (unsigned long)(before >> 32);
    }
    return 0;
}

int pthread_sigmask(int how, const struct set *new, struct set *old) { return change_mask(how, new, old); }

int sigprocmask(int how, const struct set *new, struct set *old) {
    int error = change_mask(how, new, old);
    if (error == 0)
        return 0;
    errno = error;
    return -1;
}

static int not_valid(void) {
    errno = NOT_VALID;
    return -1;
}

/* A set of all signals or none; older versions of glibc fill all bytes, newer ones only those that the kernel knows. */
static int fill(struct set *set, mask all) {
    if (set == NULL)
        return not_valid();
    set->words[0] = (unsigned long)all;
    if (sizeof(long) == 4)
        set->words[1] = (unsigned long)(all >> 32);
    if (otherwise())
        __kerf_approx_bytes((char *)set + sizeof(mask), sizeof *set - sizeof(mask));
    return 0;
}

/* Exact but for the bytes behind the last signal. */
int sigemptyset(struct set *set) { return fill(set, 0); }
int sigfillset(struct set *set) { return fill(set, ~(bit(32) | bit(33))); }

/* The word of a signal in a set, and its bit there. */
#define WORD(set, number) ((set)->words[((unsigned)(number) - 1) / 8 / sizeof(long)])
#define PLACE(number) (1UL << ((unsigned)(number) - 1) % (8 * sizeof(long)))

int sigaddset(struct set *set, int number) {
    if (set == NULL || !is_signal(number))
        return not_valid();
    WORD(set, number) |= PLACE(number);
    return 0;
}

int sigdelset(struct set *set, int number) {
    if (set == NULL || !is_signal(number))
        return not_valid();
    WORD(set, number) &= ~PLACE(number);
    return 0;
}

int sigismember(const struct set *set, int number) {
    if (set == NULL || number <= 0 || number > LAST)
        return not_valid();
    return (WORD(set, number) & PLACE(number)) != 0;
}
