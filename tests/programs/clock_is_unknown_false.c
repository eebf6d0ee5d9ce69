// EXPECT: false unreach-call LP64
#include <stdlib.h>
#include <time.h>

extern void reach_error(void);

int main(void) {
    if (clock_gettime(99, NULL) == -1 && setenv("", NULL, 1) == -1)
        reach_error();
    return 0;
}
