// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = __builtin_constant_p(x) ? x & 1 : x % 2 != 0;
    if (y != 0 && y != 1)
        reach_error();
    return 0;
}
