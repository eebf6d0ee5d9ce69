// EXPECT: false unreach-call LP64
// INPUTS: 3
extern int __VERIFIER_nondet_int(void);

#include <assert.h>

int main(void) {
    int x = __VERIFIER_nondet_int();
    assert(x * 2u != 6);
    return 0;
}
