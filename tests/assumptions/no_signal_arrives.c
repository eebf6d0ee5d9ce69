// EXPECT: true unreach-call LP64
// ASSUMES: each memory access is valid
// ASSUMES: no signal that has a handler in the program arrives, except by raise
#include <signal.h>
extern void reach_error(void);
static int handled;
static void on_signal(int number) { handled = number; }
int main(void) {
    signal(SIGINT, on_signal);
    if (handled)
        reach_error();
    return 0;
}
