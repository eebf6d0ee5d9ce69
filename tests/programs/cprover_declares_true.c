// EXPECT: true unreach-call LP64
// Written for CBMC, which declares its functions itself: no header does. An uninterpreted function is the same for the same arguments.
// NATIVE: no (clang does not know these functions)
#include <limits.h>
#include <stdint.h>

unsigned nondet_unsigned(void);
unsigned __CPROVER_uninterpreted_hash(const void *, unsigned);

int main(void) {
    unsigned a = nondet_unsigned(), b = nondet_unsigned();
    int i = (int)a, j = (int)b;
    __CPROVER_size_t n = a;
    __CPROVER_assert(__CPROVER_overflow_plus(a, b) == (a + b < a), "sum");
    __CPROVER_assert(__CPROVER_overflow_mult(a, b) == ((uint64_t)a * b > UINT_MAX), "product");
    __CPROVER_assert(__CPROVER_overflow_minus(i, j) == ((long)i - j > INT_MAX || (long)i - j < INT_MIN), "difference");
    __CPROVER_assert(__CPROVER_overflow_unary_minus(i) == (i == INT_MIN), "negation");
    __CPROVER_assume(a == b);
    __CPROVER_assert(__CPROVER_uninterpreted_hash(&i, a) == __CPROVER_uninterpreted_hash(&i, b), "same arguments");
    __CPROVER_assert(n == b, "size");
    return 0;
}
