// EXPECT: false unreach-call LP64
// INPUTS: 2
// An `assert` is an error beside CBMC's assertions.
#include <assert.h>
void __CPROVER_assert(_Bool, const char *);
int nondet_int(void);
int main(void) {
    int x = nondet_int() & 3;
    __CPROVER_assert(x < 4, "two bits");
    assert(x != 2);
    return 0;
}
