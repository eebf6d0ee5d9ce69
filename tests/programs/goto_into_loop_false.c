// EXPECT: false unreach-call LP64
// INPUTS: 1
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int i = 3;
    if (__VERIFIER_nondet_int())
        goto inside;
    for (i = 0; i < 2; i++) {
    inside:
        if (i == 3)
            reach_error();
    }
    return 0;
}
