// EXPECT: true unreach-call LP64
// What `realloc` keeps depends on which block it gets.
#include <stdlib.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n < 2 || n > 10)
        return 0;
    char *p = n < 5 ? malloc(n) : malloc(20);
    p[0] = 1;
    p[1] = 2;
    p = realloc(p, 2);
    if (p[0] != 1 || p[1] != 2)
        reach_error();
    p = realloc(p, n + 30);
    if (p[0] != 1 || p[1] != 2)
        reach_error();
    free(p);
    return 0;
}
