// EXPECT: false unreach-call LP64
// INPUTS: 4
// SeaHorn's assertion under a condition fails if the condition holds and the claim does not.
extern void sea_assert_if(_Bool, _Bool);
extern int nd_int(void);
int main(void) {
    int x = nd_int();
    sea_assert_if(x > 3, x > 4);
    return 0;
}
