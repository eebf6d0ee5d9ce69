// EXPECT: true unreach-call LP64 UNKNOWN-OK
// Each input that leads to the error writes outside of the array before: the memory error is reported, not hidden.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int table[4];

int main(void) {
    int i = __VERIFIER_nondet_int();
    int x = __VERIFIER_nondet_int();
    if (i > 5 && i < 20) {
        table[i] = x;
        if (x == 77)
            reach_error();
    }
    return 0;
}
