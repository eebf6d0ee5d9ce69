// EXPECT: true unreach-call LP64
// NATIVE: no-sanitizers
// Nothing comes after an access through a null pointer.
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    int x = 1;
    int *p = __VERIFIER_nondet_bool() ? &x : 0;
    int y = *p;
    if (p == 0)
        reach_error();
    return y;
}
