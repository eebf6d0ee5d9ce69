// EXPECT: true unreach-call LP64
extern unsigned char __VERIFIER_nondet_uchar(void);

void reach_error(void) {}

int main(void) {
    unsigned x = __VERIFIER_nondet_uchar();
    if (x * x > 65025)
        reach_error();
    return 0;
}
