// EXPECT: false unreach-call ILP32
// INPUTS: 65536 65536
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint(), r;
    if (__builtin_mul_overflow(a, b, &r) && r == 0)
        reach_error();
    return 0;
}
