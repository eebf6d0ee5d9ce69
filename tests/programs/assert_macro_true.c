// EXPECT: true unreach-call LP64
extern int __VERIFIER_nondet_int(void);

#include <assert.h>

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > 0)
        assert(x != 0);
    return 0;
}
