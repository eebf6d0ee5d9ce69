// EXPECT: false unreach-call LP64
// A format that is computed contains no %n where no pointer is printed.
#include <stdio.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    const char *format = x > 3 ? "%d\n" : "%x\n";
    printf(format, x);
    if (x == 7)
        reach_error();
    return 0;
}
