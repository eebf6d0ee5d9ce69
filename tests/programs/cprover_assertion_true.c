// EXPECT: true unreach-call LP64
// CBMC's functions: assumptions bound the inputs, and the assertion holds.
void __CPROVER_assume(_Bool);
void __CPROVER_assert(_Bool, const char *);
void __CPROVER_input(const char *, ...);
void __CPROVER_output(const char *, ...);
int nondet_int();
unsigned __CPROVER_nondet_uint(void);
int main(void) {
    int x = nondet_int();
    unsigned y = __CPROVER_nondet_uint();
    __CPROVER_input("x", x);
    __CPROVER_assume(x > 0 && x < 10);
    __CPROVER_assume(y < 8);
    __CPROVER_assert(x + y != 17, "the sum");
    __CPROVER_output("y", y);
    return 0;
}
