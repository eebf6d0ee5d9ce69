// EXPECT: false unreach-call LP64
// INPUTS: 255
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char u = __VERIFIER_nondet_uchar();
    char c = (char)u;
    if (c < 0)
        reach_error();
    return 0;
}
