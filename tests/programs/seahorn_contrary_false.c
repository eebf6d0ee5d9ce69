// EXPECT: false unreach-call LP64
// INPUTS: 3
// SeaHorn's assertion that something does not hold.
extern void __VERIFIER_assert_not(_Bool);
extern int nd_int(void);
int main(void) {
    __VERIFIER_assert_not(nd_int() == 3);
    return 0;
}
