// EXPECT: true entered.prp LP64
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

static int calls;

void entered(_Bool t, unsigned char c) {
    calls++;
    if ((t != 0 && t != 1) || c > 255 || calls != 1)
        reach_error();
}

int main(void) {
    entered(__VERIFIER_nondet_bool(), __VERIFIER_nondet_uchar());
    return 0;
}
