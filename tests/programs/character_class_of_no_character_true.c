// EXPECT: true unreach-call LP64
// The table of classes ends at 255: other numbers are invalid accesses.
#include <ctype.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int c = __VERIFIER_nondet_int();
    if ((isalpha)(c) && (c < -128 || c > 255))
        reach_error();
    return 0;
}
