// EXPECT: true unreach-call LP64
// SeaHorn's assertion under a condition holds if the condition does not.
extern void sea_assert_if(_Bool, _Bool);
extern void __VERIFIER_assert_if(_Bool, _Bool);
extern void assert_if(_Bool, _Bool) __asm__("sea.assert.if");
extern int nd_int(void);
int main(void) {
    int x = nd_int();
    sea_assert_if(x > 4, x > 3);
    __VERIFIER_assert_if(x > 4, x != 4);
    assert_if(x < 0, x < 1);
    return 0;
}
