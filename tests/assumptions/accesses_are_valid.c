// EXPECT: true unreach-call LP64
// ASSUMES: each memory access is valid: within the bounds of a live object from whose address its pointer was computed
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int a[4], b = 1;
int main(void) {
    a[__VERIFIER_nondet_uint()] = 2;
    if (b != 1)
        reach_error();
    return 0;
}
