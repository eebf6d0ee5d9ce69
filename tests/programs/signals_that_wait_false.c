// EXPECT: false unreach-call LP64 UNKNOWN-OK
// A blocked signal waits although it is ignored, and finds the handler that is set meanwhile.
#include <signal.h>
extern void reach_error(void);
static int handled;
static void note(int number) { handled = number; }
int main(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, 0);
    signal(SIGUSR1, SIG_IGN);
    raise(SIGUSR1);
    signal(SIGUSR1, note);
    sigprocmask(SIG_UNBLOCK, &set, 0);
    if (handled)
        reach_error();
    return 0;
}
