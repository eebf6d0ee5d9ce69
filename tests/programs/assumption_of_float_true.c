// EXPECT: true unreach-call LP64
// The negative zero is converted to false.
extern void reach_error(void);
extern void __CPROVER_assume(_Bool);
int main(void) {
    volatile double zero = -0.0;
    __CPROVER_assume(zero);
    reach_error();
    return 0;
}
