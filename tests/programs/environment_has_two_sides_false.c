// EXPECT: false unreach-call LP64
// ARGS: x
// What getenv does not find is not in the vector either: other variables may be.
#include <stdlib.h>
extern void reach_error(void);

int main(int argc, char **argv, char **envp) {
    if (!getenv("SOME_NAME") && envp[0] && envp[0][0] == 'B' && envp[0][1] == '=')
        reach_error();
    return 0;
}
