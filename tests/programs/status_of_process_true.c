// EXPECT: true unreach-call LP64
// A process ends with an exit code or because of a signal.
#include <stdlib.h>
#include <sys/wait.h>

extern void reach_error(void);

int main(void) {
    int status = system("true");
    if (status != -1 && WIFEXITED(status) && WIFSIGNALED(status))
        reach_error();
    if (status != -1 && !WIFEXITED(status) && !WIFSIGNALED(status))
        reach_error();
    if (status != -1 && WIFSIGNALED(status) && WEXITSTATUS(status) != 0)
        reach_error();
    return 0;
}
