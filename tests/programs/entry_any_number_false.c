// EXPECT: false entered.prp LP64
// INPUTS: -1
// NATIVE: no (a compiled program begins at main)
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

/* The first parameter of an entry function is no count of arguments. */
void entered(int x) {
    if (x <= 0)
        reach_error();
}

int main(void) {
    entered(__VERIFIER_nondet_int());
    return 0;
}
