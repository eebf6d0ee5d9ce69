// EXPECT: true unreach-call LP64
// Handlers run where the program raises their signals: with masks, details, once, and what signals do by default.
#include <signal.h>
#include <string.h>
extern void reach_error(void);
static int count;
static void add(int number) { count += number; }
static void look(int number, siginfo_t *info, void *context) {
    (void)context;
    if (info->si_signo == number)
        count += 100;
}
int main(void) {
    struct sigaction act, old;
    memset(&act, 0, sizeof act);
    act.sa_handler = add;
    sigaction(SIGUSR1, &act, NULL);
    if (raise(SIGUSR1) != 0 || count != SIGUSR1)
        reach_error();
    act.sa_sigaction = look;
    act.sa_flags = SA_SIGINFO;
    sigaction(SIGUSR1, &act, &old);
    if (old.sa_handler != add || (old.sa_flags & SA_SIGINFO))
        reach_error();
    raise(SIGUSR1);
    if (count != SIGUSR1 + 100)
        reach_error();
    act.sa_handler = add;
    act.sa_flags = SA_RESETHAND;
    sigaction(SIGUSR2, &act, NULL);
    count = 0;
    raise(SIGUSR2);
    if (count != SIGUSR2 || signal(SIGUSR2, SIG_IGN) != SIG_DFL)
        reach_error();
    raise(SIGUSR2);
    raise(SIGCHLD);
    if (signal(SIGKILL, add) != SIG_ERR || signal(SIGUSR2, SIG_DFL) != SIG_IGN)
        reach_error();
    raise(SIGUSR2);
    reach_error();
    return 0;
}
