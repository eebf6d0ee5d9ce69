// EXPECT: false unreach-call LP64
#include <stdio.h>

extern void reach_error(void);

int main(void) {
    if (popen("true", "er") != NULL && popen("true", "r+") == NULL)
        reach_error();
    return 0;
}
