// EXPECT: true unreach-call LP64 UNKNOWN-OK
// POSIX has no places before the beginning of a file; ISO C does not say.
#include <stdio.h>

extern void reach_error(void);

int main(void) {
    FILE *file = fopen("a", "r");
    if (file != NULL && fseek(file, -1, SEEK_SET) == 0)
        reach_error();
    return 0;
}
