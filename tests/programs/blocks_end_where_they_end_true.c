// EXPECT: true unreach-call LP64 UNKNOWN-OK
// Nothing before a block belongs to it, also where `realloc` needs its size.
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < -16 || n > 7)
        return 0;
    char *p = malloc(8);
    p[n] = 1;
    if (n < 0)
        reach_error();
    p = realloc(p, 20);
    free(p);
    return 0;
}
