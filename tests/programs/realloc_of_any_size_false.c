// EXPECT: false unreach-call LP64
// NATIVE: no (what is behind the old block's bytes is arbitrary)
#include <stdlib.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n < 2 || n > 10)
        return 0;
    char *p = n < 5 ? malloc(n) : malloc(20);
    for (unsigned i = 0; i < n; i++)
        p[i] = 3;
    p = realloc(p, 12);
    if (p[n - 1] != 3 || p[n] != 3)
        reach_error();
    free(p);
    return 0;
}
