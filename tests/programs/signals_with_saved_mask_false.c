// EXPECT: false unreach-call LP64 UNKNOWN-OK
// siglongjmp puts back the mask that was saved.
#include <setjmp.h>
#include <signal.h>
extern void reach_error(void);
static sigjmp_buf place;
static void leave(int number) {
    (void)number;
    siglongjmp(place, 1);
}
int main(void) {
    signal(SIGUSR1, leave);
    if (sigsetjmp(place, 1) == 0)
        raise(SIGUSR1);
    sigset_t now;
    sigprocmask(SIG_BLOCK, 0, &now);
    if (!sigismember(&now, SIGUSR1))
        reach_error();
    return 0;
}
