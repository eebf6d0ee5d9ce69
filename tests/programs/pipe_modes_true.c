// EXPECT: true unreach-call LP64
#include <stdio.h>

extern void reach_error(void);

int main(void) {
    if (popen("true", "x") != NULL || popen("true", "e") != NULL || popen("true", "") != NULL)
        reach_error();
    return 0;
}
