// EXPECT: false unreach-call LP64
// INPUTS: 4
// What SeaHorn makes of __VERIFIER_error is the error.
extern void error(void) __asm__("verifier.error");
extern int nd_int(void);
int main(void) {
    if (nd_int() == 4)
        error();
    return 0;
}
