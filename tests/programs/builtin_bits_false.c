// EXPECT: false unreach-call LP64
// INPUTS: 40
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    if (x < 100 && __builtin_popcount(x) == 2 && x != 0 && __builtin_ctz(x) == 3)
        reach_error();
    return 0;
}
