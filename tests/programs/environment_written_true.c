// EXPECT: true unreach-call LP64 UNKNOWN-OK
// What the third parameter of main points to is the environment itself.
#include <stdlib.h>
extern void reach_error(void);
int main(int count, char **arguments, char **environment) {
    environment[0] = 0;
    if (getenv("HOME"))
        reach_error();
    return 0;
}
