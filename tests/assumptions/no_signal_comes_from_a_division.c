// EXPECT: true unreach-call LP64
// ASSUMES: each memory access is valid
// ASSUMES: none by a division or an access to memory
#include <signal.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static void on_signal(int number) {
    (void)number;
    reach_error();
}
int main(void) {
    signal(SIGFPE, on_signal);
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 10)
        return 1;
    return 100 / n > 50;
}
