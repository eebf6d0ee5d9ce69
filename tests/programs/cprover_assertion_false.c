// EXPECT: false unreach-call LP64
// INPUTS: 3 7
// CBMC's functions: a failing assertion is the error.
void __CPROVER_assume(_Bool);
void __CPROVER_assert(_Bool, const char *);
int nondet_int();
unsigned __CPROVER_nondet_uint(void);
int main(void) {
    int x = nondet_int();
    unsigned y = __CPROVER_nondet_uint();
    __CPROVER_assume(x > 0 && x < 10);
    __CPROVER_assume(y < 8);
    __CPROVER_assert(x + y != 10, "the sum");
    return 0;
}
