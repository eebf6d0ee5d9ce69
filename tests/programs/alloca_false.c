// EXPECT: false unreach-call LP64
// INPUTS: 5
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint() % 8 + 1;
    char *p = __builtin_alloca(n);
    for (unsigned i = 0; i < n; i++)
        p[i] = (char)i;
    if (p[n - 1] == 5)
        reach_error();
    return 0;
}
