// EXPECT: false unreach-call LP64
// INPUTS: 2
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    while (x == 1) {
    }
    if (x == 2)
        reach_error();
    return 0;
}
