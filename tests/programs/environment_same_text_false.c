// EXPECT: false unreach-call LP64 UNKNOWN-OK
// INPUTS:
// NATIVE: no (what the environment holds)
#include <stdlib.h>

extern void reach_error(void);

int main(void) {
    char *first = getenv("HOME"), *second = getenv("HOME");
    if (first != NULL && first == second)
        reach_error();
    return 0;
}
