// EXPECT: false unreach-call LP64
// A former handler is put back, and a mask is what was set.
#include <signal.h>
extern void reach_error(void);
static int first, second;
static void one(int number) { first += number; }
static void two(int number) { second += number; }
int main(void) {
    sigset_t set, old;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigprocmask(SIG_BLOCK, &set, 0);
    sigprocmask(SIG_UNBLOCK, &set, &old);
    signal(SIGINT, one);
    void (*before)(int) = signal(SIGINT, two);
    raise(SIGINT);
    signal(SIGINT, before);
    raise(SIGINT);
    if (sigismember(&old, SIGINT) && first == SIGINT && second == SIGINT)
        reach_error();
    return 0;
}
