// EXPECT: false unreach-call LP64
// NATIVE: no (the command ends in its own way)
#include <stdlib.h>
#include <sys/wait.h>

extern void reach_error(void);

int main(void) {
    int status = system("exit 3");
    if (status != -1 && WIFEXITED(status) && WEXITSTATUS(status) == 200)
        reach_error();
    return 0;
}
