// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned __VERIFIER_nondet_uint(void);

/* x is a multiple of 64, y of 32, z of 16. */
int main(void) {
    unsigned x = 0, y = 0, z = 0;
    while (__VERIFIER_nondet_bool()) {
        x = x * 5 + 192;
        x ^= __VERIFIER_nondet_uint() << 6;
        if (__VERIFIER_nondet_bool())
            z = y / 2;
        if (__VERIFIER_nondet_bool())
            y = x / 2;
        if (z % 16 != 0)
            reach_error();
    }
    return 0;
}
