// EXPECT: true unreach-call LP64
// Nothing that could be assumed matters here.
#include <stdio.h>
#include <stdlib.h>
extern void reach_error(void);
extern int unused;
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x == 1 && x == 2)
        reach_error();
    char *p = malloc(x);
    if (!p)
        return 1;
    printf("%d", unused);
    free(p);
    return 0;
}
