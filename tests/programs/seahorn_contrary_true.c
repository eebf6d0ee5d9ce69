// EXPECT: true unreach-call LP64
// SeaHorn's assertion and assumption that something does not hold, under its own names, too.
extern void __VERIFIER_assert_not(_Bool);
extern void __VERIFIER_assume_not(_Bool);
extern void assert_not(_Bool) __asm__("verifier.assert.not");
extern void assume_not(_Bool) __asm__("verifier.assume.not");
extern void assert_is(_Bool) __asm__("verifier.assert");
extern int nd_int(void);
int main(void) {
    int x = nd_int();
    __VERIFIER_assume_not(x == 3);
    assume_not(x == 4);
    __VERIFIER_assert_not(x == 3);
    assert_not(x == 4);
    assert_is(x < 3 || x > 4);
    return 0;
}
