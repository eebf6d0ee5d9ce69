// EXPECT: true unreach-call LP64
// NATIVE: no-sanitizers
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (__builtin_expect(x > 5, 0)) {
        if (x <= 5)
            reach_error();
        return 0;
    }
    switch (x & 1) {
    case 0:
    case 1:
        return 0;
    }
    __builtin_unreachable();
}
