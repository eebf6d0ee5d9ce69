// EXPECT: true unreach-call LP64
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
extern void reach_error(void);
static void check(int holds) {
    if (!holds)
        reach_error();
}
int main(void) {
    check(fopen("file", "q") == NULL);
    check(errno == EINVAL);
    check(popen("true", "x") == NULL);
    check(fseek(stdin, 0, 99) != 0);
    check(setvbuf(stdout, NULL, 99, 0) != 0);
    check(unsetenv("A") == 0);
    check(setenv("A", "b", 1) == 0 || errno == ENOMEM);
    return 0;
}
