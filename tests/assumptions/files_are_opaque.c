// EXPECT: true unreach-call LP64
// ASSUMES: only functions of the C library access the contents of a FILE
// ASSUMES: each memory access is valid: within the bounds of a live object from whose address its pointer was computed
#include <stdio.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = 3;
    int *p = __VERIFIER_nondet_int() ? &x : (int *)stdin;
    if (*p != 3)
        reach_error();
    return 0;
}
