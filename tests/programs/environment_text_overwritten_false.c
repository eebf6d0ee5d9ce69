// EXPECT: false unreach-call LP64 UNKNOWN-OK
// Another call of getenv may overwrite what the first one returned.
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    char *home = getenv("HOME");
    if (!home)
        return 0;
    char first = home[0];
    getenv("PATH");
    if (home[0] != first)
        reach_error();
    return 0;
}
