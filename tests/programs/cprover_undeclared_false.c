// EXPECT: false unreach-call LP64
// INPUTS: 42
// CBMC needs no declarations of its functions, and old C neither.
int main(void) {
    int x = nondet_int();
    __CPROVER_assume(x > 40);
    __CPROVER_assert(x != 42, "the answer");
    return 0;
}
