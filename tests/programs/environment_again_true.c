// EXPECT: true unreach-call LP64 UNKNOWN-OK
// A name has one text, and a variable that was set is there.
#include <stdlib.h>

extern void reach_error(void);

int main(void) {
    char name[] = "HOME";
    char *first = getenv("HOME"), *second = getenv(name);
    if ((first == NULL) != (second == NULL))
        reach_error();
    if (setenv("PLACE", "here", 1) == 0 && getenv("PLACE") == NULL)
        reach_error();
    return 0;
}
