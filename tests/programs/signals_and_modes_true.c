// EXPECT: true unreach-call LP64
// A handler begins with the usual rounding mode and leaves that of the program alone; no mask has SIGKILL; what a flag says of
// details does not matter if there is no handler.
#include <fenv.h>
#include <signal.h>
#include <string.h>
extern void reach_error(void);
static int mode = -1, blocked = -1;
static void look(int number) {
    (void)number;
    sigset_t now;
    sigprocmask(SIG_BLOCK, 0, &now);
    blocked = sigismember(&now, SIGKILL) + 2 * sigismember(&now, SIGINT);
    mode = fegetround();
    fesetround(FE_DOWNWARD);
}
int main(void) {
    struct sigaction act;
    memset(&act, 0, sizeof act);
    act.sa_handler = look;
    sigfillset(&act.sa_mask);
    sigaction(SIGUSR1, &act, 0);
    fesetround(FE_UPWARD);
    raise(SIGUSR1);
    if (mode != FE_TONEAREST || fegetround() != FE_UPWARD || blocked != 2)
        reach_error();
    act.sa_handler = SIG_IGN;
    act.sa_flags = SA_SIGINFO;
    sigaction(SIGUSR1, &act, 0);
    raise(SIGUSR1);
    act.sa_handler = SIG_DFL;
    sigaction(SIGCHLD, &act, 0);
    raise(SIGCHLD);
    if (mode != FE_TONEAREST)
        reach_error();
    return 0;
}
