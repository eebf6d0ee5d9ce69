// EXPECT: false unreach-call ILP32
// INPUTS: 65535
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    ((char *)&x)[2] = 1;
    if (x == 131071)
        reach_error();
    return 0;
}
