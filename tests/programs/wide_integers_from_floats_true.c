// EXPECT: true unreach-call LP64
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    double large = __VERIFIER_nondet_int() ? 0x1p150 : 0x1p149;
    unsigned _BitInt(200) wide = large;
    if (wide >> 149 != 1 && wide >> 149 != 2)
        reach_error();
    return 0;
}
