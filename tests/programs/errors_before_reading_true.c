// EXPECT: true unreach-call LP64
// Nobody used the standard input, so that it has no error.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    printf("hello\n");
    if (ferror(stdin))
        reach_error();
    return 0;
}
