// EXPECT: true unreach-call LP64
#include <stdlib.h>

extern void reach_error(void);

int main(void) {
    if (setenv("a=b", "c", 1) == 0 || setenv(NULL, "c", 1) == 0 || unsetenv("") == 0)
        reach_error();
    return 0;
}
