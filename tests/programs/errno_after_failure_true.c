// EXPECT: true unreach-call LP64
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

extern void reach_error(void);

int main(void) {
    errno = 0;
    if (strtol("12", NULL, 10) != 12 || errno != 0)
        reach_error();
    if (fopen("input", "r") == NULL && errno == 0)
        reach_error();
    return 0;
}
