// EXPECT: false unreach-call LP64
// INPUTS: 3
// NATIVE: no (the linker knows the function by another name)
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void) __asm__("failed");

int main(void) {
    if (__VERIFIER_nondet_int() == 3)
        reach_error();
    return 0;
}
