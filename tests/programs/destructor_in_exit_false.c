// EXPECT: false unreach-call LP64
// INPUTS: 7
#include <stdlib.h>

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int k;

__attribute__((destructor)) static void finish(void) {
    if (k == 3)
        reach_error();
}

static void handler(void) {
    k++;
}

int main(void) {
    k = 2;
    atexit(handler);
    if (__VERIFIER_nondet_int() == 7)
        exit(1);
    k = 10;
    return 0;
}
