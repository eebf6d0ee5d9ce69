// EXPECT: true unreach-call LP64
// One object may begin where another one ends, and has all of its bytes there. No bytes at the end of an object lie in it, too.
// NATIVE: no (clang does not know these functions)
#include <stddef.h>
#include <stdint.h>

extern int __VERIFIER_nondet_int(void);
_Bool __CPROVER_r_ok(const void *, size_t);
void __CPROVER_assert(_Bool, const char *);

static char first[16], second[16];

int main(void) {
    char *p = __VERIFIER_nondet_int() ? first : second;
    if ((uintptr_t)first + 16 == (uintptr_t)second || (uintptr_t)second + 16 == (uintptr_t)first)
        __CPROVER_assert(__CPROVER_r_ok(p, 16), "side by side");
    __CPROVER_assert(__CPROVER_r_ok(p, 1) && __CPROVER_r_ok(p + 16, 0), "begin and end");
    return 0;
}
