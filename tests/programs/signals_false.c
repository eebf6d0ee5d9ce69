// EXPECT: false unreach-call LP64
// The handler runs once for each time that its signal is raised.
#include <signal.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static volatile sig_atomic_t count;
static void add(int number) {
    (void)number;
    count++;
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    signal(SIGTERM, add);
    for (int i = 0; i < n && i < 5; i++)
        raise(SIGTERM);
    if (count == 3)
        reach_error();
    return 0;
}
