// EXPECT: true unreach-call LP64 UNKNOWN-OK
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    if (fgetc(stdout) != EOF)
        reach_error();
    if (fputc('a', stdin) == 'a')
        reach_error();
    if (fwrite("abc", 1, 3, stdin) == 3)
        reach_error();
    return 0;
}
