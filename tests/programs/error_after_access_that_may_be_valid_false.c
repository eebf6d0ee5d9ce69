// EXPECT: false unreach-call LP64
// INPUTS: 3 77
// Most inputs that lead to the error write outside of the array before, but not all of them.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int table[4];

int main(void) {
    int i = __VERIFIER_nondet_int();
    int x = __VERIFIER_nondet_int();
    if (i > 2 && i < 20) {
        table[i] = x;
        if (x == 77)
            reach_error();
    }
    return 0;
}
