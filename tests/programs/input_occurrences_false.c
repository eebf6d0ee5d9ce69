// EXPECT: false unreach-call LP64
// INPUTS: 1 2 3
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum = sum * 10 + (__VERIFIER_nondet_int() & 7);
    if (sum == 123)
        reach_error();
    return 0;
}
