// EXPECT: false unreach-call LP64
// INPUTS: -5
// glibc takes small negative numbers for characters.
#include <ctype.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int c = __VERIFIER_nondet_int();
    if (c == -5 && (toupper)(c) == 251 && (tolower)(300) == 300)
        reach_error();
    return 0;
}
