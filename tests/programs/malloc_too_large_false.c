// EXPECT: false unreach-call LP64
// INPUTS: -1
#include <stdlib.h>

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    if (malloc(__VERIFIER_nondet_int()) == NULL)
        reach_error();
    return 0;
}
