// EXPECT: true unreach-call LP64 UNKNOWN-OK
// ISO C lets functions that succeed set errno; those of glibc do not, so no alarm rests on it.
#include <errno.h>
#include <stdio.h>
#include <unistd.h>
extern void reach_error(void);
int main(void) {
    char text[9];
    errno = 0;
    snprintf(text, sizeof text, "x");
    if (errno == 77)
        reach_error();
    if (access("/", 64) == 0)
        reach_error();
    return 0;
}
