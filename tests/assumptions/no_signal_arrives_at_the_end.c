// EXPECT: true unreach-call LP64
// ASSUMES: each memory access is valid
// ASSUMES: no signal that has a handler in the program arrives, except by raise
/* Nothing but the handler calls the error. */
#include <signal.h>
extern void reach_error(void);
static void on_signal(int number) {
    (void)number;
    reach_error();
}
int main(void) {
    signal(SIGINT, on_signal);
    return 0;
}
