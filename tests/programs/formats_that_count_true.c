// EXPECT: true unreach-call LP64 UNKNOWN-OK
// Whether a format that is computed contains %n, no alarm decides.
#include <stdio.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = 7;
    const char *format = __VERIFIER_nondet_int() ? "%p" : "abc%n";
    int counts = format[0] == 'a';
    printf(format, &x);
    if (counts && x == 7)
        reach_error();
    return 0;
}
