// EXPECT: false unreach-call LP64 UNKNOWN-OK
// Where the number ends is left open if the base is none.
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    char *end = 0;
    strtol("12", &end, 1);
    if (end)
        reach_error();
    return 0;
}
