// EXPECT: true unreach-call LP64
// ASSUMES: with whose address the program computes, lies between 0x1000 and 0x800000000000
// ASSUMES: no format string that is computed contains %n
#include <stdio.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = 0;
    char format[3] = {'%', 'd', 0};
    format[1] = (char)__VERIFIER_nondet_int();
    printf(format, &n);
    if (n)
        reach_error();
    return 0;
}
