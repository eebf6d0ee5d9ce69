// EXPECT: true unreach-call LP64
#include <stdio.h>

extern void reach_error(void);

int main(void) {
    if (feof(stdin) || ferror(stdin) || ferror(stdout))
        reach_error();
    return 0;
}
