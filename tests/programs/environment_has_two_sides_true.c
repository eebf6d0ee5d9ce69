// EXPECT: true unreach-call LP64 UNKNOWN-OK
// A variable that getenv finds is in the vector that main is given.
#include <stdlib.h>
extern void reach_error(void);

int main(int argc, char **argv, char **envp) {
    if (getenv("SOME_NAME") && !envp[0])
        reach_error();
    return 0;
}
