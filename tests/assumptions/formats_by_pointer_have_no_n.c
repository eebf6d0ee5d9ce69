// EXPECT: true unreach-call LP64
// ASSUMES: with whose address the program computes, lies between 0x1000 and 0x800000000000
// ASSUMES: no format string that is computed contains %n
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    int n = 0;
    int (*volatile print)(const char *, ...) = printf;
    print("abc%n", &n);
    if (n)
        reach_error();
    return 0;
}
