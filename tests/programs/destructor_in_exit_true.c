// EXPECT: true unreach-call LP64
#include <stdlib.h>

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int k;

__attribute__((destructor)) static void finish(void) {
    if (k != 3)
        reach_error();
}

int main(void) {
    k = 2;
    if (__VERIFIER_nondet_int() == 7)
        _Exit(1);
    if (__VERIFIER_nondet_int() == 7)
        abort();
    k = 3;
    if (__VERIFIER_nondet_int() == 7)
        exit(1);
    return 0;
}
