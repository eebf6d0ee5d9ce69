// EXPECT: false unreach-call LP64 UNKNOWN-OK
// Nothing copies the input to the output.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int y = __VERIFIER_nondet_int(), x, z = __VERIFIER_nondet_int();
    __asm__ volatile("" : "=a"(x) : "b"(y));
    if (x != y)
        reach_error();
    return z;
}
