// EXPECT: false unreach-call LP64
// INPUTS: 4
extern void __SEAHORN_fail(void);
extern int nd_int(void);
int main(void) {
    if (nd_int() == 4)
        __SEAHORN_fail();
    return 0;
}
