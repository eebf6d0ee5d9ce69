// EXPECT: false unreach-call LP64
// INPUTS:
// NATIVE: no (why a file cannot be opened is up to the environment)
#include <errno.h>
#include <stdio.h>

extern void reach_error(void);

int main(void) {
    if (fopen("input", "r") == NULL && errno != ENOENT)
        reach_error();
    return 0;
}
