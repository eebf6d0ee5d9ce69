// EXPECT: false unreach-call LP64
// An uninterpreted function may be another for other arguments.
// NATIVE: no (clang does not know these functions)
unsigned nondet_unsigned(void);
unsigned __CPROVER_uninterpreted_hash(unsigned);

int main(void) {
    unsigned a = nondet_unsigned(), b = nondet_unsigned();
    __CPROVER_assume(!__CPROVER_overflow_plus(a, b));
    __CPROVER_assert(a == b || __CPROVER_uninterpreted_hash(a) != 7 || __CPROVER_uninterpreted_hash(b) != 9, "apart");
    return 0;
}
