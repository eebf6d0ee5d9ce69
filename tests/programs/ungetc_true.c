// EXPECT: true unreach-call LP64 UNKNOWN-OK
#include <stdio.h>

extern void reach_error(void);

int main(void) {
    if (ungetc('a', stdin) == 'a' && getchar() != 'a')
        reach_error();
    return 0;
}
