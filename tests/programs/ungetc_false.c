// EXPECT: false unreach-call LP64
// A character that is pushed back is not the one that follows.
#include <stdio.h>

extern void reach_error(void);

int main(void) {
    int c = getchar();
    if (c != 'x')
        return 0;
    ungetc(c, stdin);
    if (getchar() != getchar())
        reach_error();
    return 0;
}
